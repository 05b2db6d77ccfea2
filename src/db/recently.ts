import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a time in a column is fewer than `seconds` ago. One that is as far in the future does not count: a clock was ahead, and
 * a limit that counted it would hold until then.
 */
export function isRecent(column: string, now: number, seconds: number): RawBuilder<boolean> {
  const time = sql.ref(column)
  return sql`(${time} > ${now - seconds} AND ${time} < ${now + seconds})`
}
