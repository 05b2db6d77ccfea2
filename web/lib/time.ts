import { createMemo, createRoot, createSignal } from 'solid-js'
import { language } from './i18n.ts'

const zoneNow = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zone of the system, which changes when the user travels. */
const [zone, setZone] = createRoot(() => createSignal(zoneNow()))

/** Whether times are shown with 24 hours; null leaves it to the language. */
let has24Hours: () => boolean | null | undefined = () => null

/** Has times shown as the user's setting says. */
export function useHours(setting: typeof has24Hours) {
  has24Hours = createRoot(() => createMemo(setting))
}

/** To be called regularly: dates and times that are shown follow the system's time zone. */
export function followZone() {
  setZone(zoneNow)
}

/** Formats of dates and times in the user's language, made once each: making one costs more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(wanted: Intl.DateTimeFormatOptions, seconds: number) {
  const hours24 = has24Hours() ?? null
  const options = hours24 === null ? wanted : { ...wanted, hour12: !hours24 }
  const key = language + zone() + JSON.stringify(options)
  let made = formats.get(key)
  if (!made) {
    made = new Intl.DateTimeFormat(language, options)
    formats.set(key, made)
  }
  return made.format(seconds * 1000)
}

/** The time of day: 10:02. */
export function timeOfDay(seconds: number): string {
  return format({ hour: 'numeric', minute: '2-digit' }, seconds)
}

/** The day, with the year if it is not this one: Tuesday, 18 November. */
export function dayName(seconds: number): string {
  return format({ weekday: 'long', day: 'numeric', month: 'long', ...otherYear(seconds) }, seconds)
}

/** Has the year shown if it is not this one. */
function otherYear(seconds: number): { year?: 'numeric' } {
  const isThisYear = new Date(seconds * 1000).getFullYear() === new Date().getFullYear()
  return isThisYear ? {} : { year: 'numeric' }
}

export function dateAndTime(seconds: number): string {
  return format(
    {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    },
    seconds,
  )
}

/** The time of day in a time zone; undefined if the zone is not known. */
export function timeIn(timeZone: string, seconds: number): string | undefined {
  if (!timeZone) return undefined
  try {
    return format({ hour: 'numeric', minute: '2-digit', timeZone }, seconds)
  } catch {
    return undefined
  }
}

/** The weekday and the time: Mon, 9:00. */
export function weekdayAndTime(seconds: number): string {
  return format({ weekday: 'short', hour: 'numeric', minute: '2-digit' }, seconds)
}

/** A short form of how long ago something was: "now", "5 min. ago", or the date. */
export function shortAge(seconds: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - seconds) / 60))
  if (minutes === 0) return relative(0, 'second')
  if (minutes < 60) return relative(-minutes, 'minute')
  if (minutes < 24 * 60) return relative(-Math.floor(minutes / 60), 'hour')
  if (minutes < 7 * 24 * 60)
    return relative(Math.round((midnight(seconds) - midnight(now)) / 86_400_000), 'day')
  return format({ day: 'numeric', month: 'short', ...otherYear(seconds) }, seconds)
}

let ages: { language: string; format: Intl.RelativeTimeFormat } | undefined

function relative(value: number, unit: 'second' | 'minute' | 'hour' | 'day') {
  if (ages?.language !== language) {
    ages = { language, format: new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' }) }
  }
  return ages.format.format(value, unit)
}

/** A number that is the same for all moments of one local day. */
export function dayOf(seconds: number): number {
  zone()
  return midnight(seconds)
}

/** When a local day began, in milliseconds since 1970. */
function midnight(seconds: number) {
  return new Date(seconds * 1000).setHours(0, 0, 0, 0)
}
