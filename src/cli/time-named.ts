import { UsageError } from './command.ts'

const secondsIn: Record<string, number> = { d: 86_400, h: 3_600, m: 60 }

/** The time that an option names, in seconds since 1970: a date, a moment, or how long ago. */
export function timeNamed(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,6})([dhm])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now - Number(count) * (secondsIn[unit] ?? 0)
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new UsageError(`${option} needs a time, as 2026-03-31, 2026-03-31T12:00Z or 7d, not ${text}.`)
  return Math.floor(at / 1000)
}
