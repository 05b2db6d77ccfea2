import { t } from '../../lib/i18n.ts'
import { dateAndTime, weekdayAndTime } from '../../lib/time.ts'
import type { Suggestion } from './suggest.ts'
import { sensibleTimes } from './times.ts'

/** Moments that a text may name: sensible ones, and what the browser understands of what was typed. */
export function suggestTimes(query: string, rows: number): Suggestion[] {
  const typed = timeIn(query.trim())
  const moments = [
    ...(typed ? [{ name: '', at: typed }] : []),
    ...sensibleTimes(new Date()).filter(({ name }) =>
      name.toLowerCase().includes(query.trim().toLowerCase()),
    ),
  ]
  return moments.slice(0, rows).map(({ name, at }) => {
    const shown = dateAndTime(at.getTime() / 1000)
    return {
      label: name || shown,
      note: name ? weekdayAndTime(at.getTime() / 1000) : t('suggest.time'),
      insert: `<time:${withZone(at)}> `,
      icon: 'clock',
    }
  })
}

/** "18:00" is today, or tomorrow when it has passed; else a date as the browser reads it. */
function timeIn(text: string): Date | undefined {
  const [, hours, minutes = '0'] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (hours !== undefined && Number(hours) < 24) {
    const at = new Date()
    at.setHours(Number(hours), Number(minutes), 0, 0)
    if (at.getTime() < Date.now()) at.setDate(at.getDate() + 1)
    return at
  }
  if (!/\d/.test(text) || text.length < 5) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** 2026-11-23T09:00:00+01:00 */
function withZone(at: Date): string {
  const offset = -at.getTimezoneOffset()
  const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, 19)
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`
}
