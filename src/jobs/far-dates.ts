import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { JobHandler } from './job.ts'
import { jobLimits } from './limits.ts'

/**
 * Brings back the work that waits for a date beyond all that is usual for its kind: a clock was ahead when it was scheduled or
 * claimed, and has been set back since. It is due now. What comes too early for the work itself, it schedules anew.
 */
export async function bringBack(db: Db, handlers: JobHandler[], now: number) {
  const kinds = handlers.map(({ kind }) => kind)
  const strayed = now + jobLimits.strayedSeconds
  const from = handlers.map(({ within }) => (within === Number.POSITIVE_INFINITY ? null : strayed + within))
  await sql`
    UPDATE job j SET due_at = CASE WHEN j.due_at > strayed.since THEN ${now} ELSE j.due_at END,
      leased_until = CASE WHEN j.leased_until > ${strayed} THEN 0 ELSE j.leased_until END
    FROM unnest(${kinds}::text[], ${from}::bigint[]) AS strayed(kind, since)
    WHERE j.kind = strayed.kind AND j.parked_at IS NULL AND (j.due_at > strayed.since OR j.leased_until > ${strayed})`.execute(
    db,
  )
}
