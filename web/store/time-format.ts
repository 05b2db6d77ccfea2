import { dateAndTime } from '../lib/time.ts'
import { field } from './server-state.ts'

/** Whether times are shown with 12 hours; null if that follows the language. */
export function hour12(): boolean | null {
  const hours24 = field('user_settings')?.twenty_four_hour_time ?? null
  return hours24 === null ? null : !hours24
}

/** A time that a message names, where and as this user reads it. */
export function timeHere(seconds: number): string {
  return dateAndTime(seconds, hour12())
}
