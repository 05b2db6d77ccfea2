import { t } from '../../lib/i18n.ts'

type Moment = { name: string; at: Date }

/** Times at which people want things to happen, none of them within the next minutes. */
export function sensibleTimes(now: Date): Moment[] {
  const inAnHour = new Date(Math.ceil((now.getTime() + 55 * 60_000) / 300_000) * 300_000)
  const daysToMonday = (8 - now.getDay()) % 7 || 7
  const moments = [
    { name: t('times.in_an_hour'), at: inAnHour },
    { name: t('times.this_afternoon'), at: at(now, 0, 15) },
    { name: t('times.this_evening'), at: at(now, 0, 18) },
    { name: t('times.tomorrow_morning'), at: at(now, 1, 9) },
    { name: t('times.tomorrow_afternoon'), at: at(now, 1, 15) },
    { name: t('times.monday_morning'), at: at(now, daysToMonday, 9) },
  ]
  // On a Sunday, Monday morning is tomorrow morning.
  const seen = new Set<number>()
  return moments.filter(({ at: moment }) => {
    const isNew = !seen.has(moment.getTime())
    seen.add(moment.getTime())
    return isNew && moment.getTime() > now.getTime() + 10 * 60_000
  })
}

/** A time in the form that inputs of dates take. */
export function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function at(now: Date, days: number, hour: number): Date {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(hour, 0, 0, 0)
  return date
}
