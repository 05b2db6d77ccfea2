import { zoneOffset } from './time-zones.ts'

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const offset = String.raw`\s*(?<zone>[a-z]{1,4})?(?:(?<sign>[+-])(?<oh>\d{1,2}):?(?<om>\d{2})?)?`
const clock = String.raw`(?<h>\d{1,2})(?::(?<mi>\d{2})(?::(?<s>\d{2})(?:[.,](?<f>\d{1,9}))?)?)?\s*(?<half>[ap]m)?${offset}`
const weekday = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?`
const dayMonth = String.raw`(?<d>\d{1,2})(?:st|nd|rd|th)?[\s-]+(?<mon>[a-z]{3,9})\.?,?[\s-]+(?<y>\d{4})`
const monthDay = String.raw`(?<mon>[a-z]{3,9})\.?\s+(?<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<y>\d{4})`

const forms = [
  String.raw`(?<y>\d{4})[-/.](?<mo>\d{1,2})(?:[-/.](?<d>\d{1,2}))?(?:[t\s]\s*${clock})?`,
  String.raw`(?<y>\d{4})(?<mo>\d{2})(?<d>\d{2})(?:t(?<h>\d{2})(?<mi>\d{2})(?<s>\d{2})?${offset})?`,
  String.raw`${weekday}${dayMonth}(?:,?\s+(?:at\s+)?${clock})?`,
  String.raw`${weekday}${monthDay}(?:,?\s+(?:at\s+)?${clock})?`,
].map((form) => new RegExp(`^\\s*${form}\\s*$`, 'i'))

/**
 * Returns the moment that a text means: seconds since 1970, ISO 8601, or a date in English as people and mail programs
 * write it, with a year. The time zone is an offset or a name such as CEST; the default is UTC. Undefined if it is none
 * of these.
 */
export function parseTime(text: string): Date | undefined {
  if (text.length > 80) return undefined
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(text) && !/^\s*\d{8}\s*$/.test(text))
    return valid(new Date(Number(text) * 1000))
  for (const form of forms) {
    const parts = form.exec(text)?.groups
    if (parts) return dateOf(parts)
  }
  return undefined
}

function dateOf(parts: Record<string, string | undefined>): Date | undefined {
  const month = parts.mon ? months.indexOf(parts.mon.slice(0, 3).toLowerCase()) : Number(parts.mo) - 1
  const day = Number(parts.d ?? 1)
  const hour = hourOf(parts)
  const [minute, second] = [Number(parts.mi ?? 0), Number(parts.s ?? 0)]
  const ahead = minutesAhead(parts)
  if (month < 0 || month > 11 || hour === undefined || minute > 59 || second > 59 || ahead === undefined)
    return undefined
  const local = new Date(0)
  local.setUTCFullYear(Number(parts.y), month, day)
  if (local.getUTCDate() !== day) return undefined
  local.setUTCHours(hour, minute, second, Math.trunc(Number(`0.${parts.f ?? 0}`) * 1000))
  return valid(new Date(local.getTime() - ahead * 60_000))
}

/** How far the time is ahead of UTC. An offset may have the name of UTC before it, and is less than a day. */
function minutesAhead({ zone, sign, oh, om }: Record<string, string | undefined>): number | undefined {
  const named = zone === undefined ? 0 : zoneOffset(zone)
  if (sign === undefined) return named
  const [hours, minutes] = [Number(oh), Number(om ?? 0)]
  if (named !== 0 || hours > 23 || minutes > 59) return undefined
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes)
}

function hourOf(parts: Record<string, string | undefined>): number | undefined {
  const hour = Number(parts.h ?? 0)
  if (!parts.half) return hour > 23 ? undefined : hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (parts.half.toLowerCase() === 'pm' ? 12 : 0)
}

/** Years that the ISO form writes with four digits. */
function valid(date: Date): Date | undefined {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date : undefined
}
