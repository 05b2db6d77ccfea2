import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { guard } from '../lib/guard.ts'
import { type Repeated, repeatEvery } from '../lib/repeat-every.ts'
import { logLimits } from './limits.ts'

/** Rows deleted in one step: few enough that no send waits long for the disk. */
const batch = 5_000

/** Presence that is an hour old is of no interest, while its number in the log stays. */
const presenceSeconds = 3_600

/**
 * Removes entries older than `days` from every organization's log. Entries that a live queue has yet to read stay for
 * twice as long: a client that polls and never acknowledges anything must not keep the log forever. Also removes
 * idempotency keys that are too old to be repeated.
 */
export async function prune(db: Db, days: number, now: number, stopping?: AbortSignal) {
  const before = now - days * 86_400
  const noRepeats = now - logLimits.idempotencyKeyDays * 86_400
  for (const { id } of await db.selectFrom('realm').select('id').execute()) {
    if (stopping?.aborted) return
    await inBatches(
      db,
      (limit) => sql`
      DELETE FROM event_log WHERE realm_id = ${id} AND id IN (
        SELECT e.id FROM event_log e
        WHERE e.realm_id = ${id} AND e.created_at < ${before} AND (e.created_at < ${before - days * 86_400}
          OR e.id <= coalesce((SELECT min(q.reached) FROM event_queue q WHERE q.realm_id = ${id}),
            (SELECT h.last_event_id FROM realm_head h WHERE h.realm_id = ${id})))
        ORDER BY e.id LIMIT ${limit})`,
    )
    await inBatches(
      db,
      (limit) => sql`
      UPDATE event_log SET event = NULL WHERE realm_id = ${id} AND id IN (
        SELECT e.id FROM event_log e
        WHERE e.realm_id = ${id} AND e.created_at < ${now - presenceSeconds} AND e.type = 'presence' AND e.event IS NOT NULL
        LIMIT ${limit})`,
    )
    await inBatches(
      db,
      (limit) => sql`
      DELETE FROM idempotency_key WHERE ctid IN (
        SELECT ctid FROM idempotency_key WHERE realm_id = ${id} AND created_at < ${noRepeats} LIMIT ${limit})`,
    )
  }
}

async function inBatches(db: Db, statement: (limit: number) => ReturnType<typeof sql>) {
  for (;;) {
    const { numAffectedRows } = await statement(batch).execute(db)
    if (Number(numAffectedRows) < batch) return
  }
}

const pruneSeconds = 3_600
/** A server that has just started is first used, then cleaned up. */
const firstSeconds = 60

export function pruneRegularly(
  db: Db,
  days: number,
  clock: () => number,
  report: (error: unknown) => void,
): Repeated {
  const pruning = repeatEvery(pruneSeconds, (stopping) => prune(db, days, clock(), stopping), report)
  setTimeout(guard(report, pruning.now), firstSeconds * 1000).unref()
  return pruning
}
