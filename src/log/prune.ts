import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Databases, DatabaseUrls } from '../db/databases.ts'
import { type Repeated, repeatEvery } from '../lib/async/repeat-every.ts'
import { guard } from '../lib/guard.ts'
import { removeLeftBehind } from './lifecycle/left-behind.ts'
import { logLimits } from './limits.ts'

const { prunedPerStep, presenceEventSeconds } = logLimits
const day = 86_400

/**
 * Removes entries older than `days` from every organization's log. Entries that a live queue has yet to read stay for
 * twice as long: a client that polls and never acknowledges anything must not keep the log forever. Also removes
 * idempotency keys that are too old to be repeated.
 */
export async function prune(db: Db, days: number, now: number, stopping?: AbortSignal) {
  const before = now - days * day
  const noRepeats = now - logLimits.idempotencyKeyDays * day
  for (const id of await withOldRows(db, now, noRepeats)) {
    if (stopping?.aborted) return
    const end = await endOfOldEntries(db, id, { before, now, surelyBefore: before - days * day })
    await inBatches(
      db,
      (limit) => sql`
      DELETE FROM event_log WHERE realm_id = ${id} AND id IN (
        SELECT e.id FROM event_log e WHERE e.realm_id = ${id} AND e.id <= ${end} ORDER BY e.id LIMIT ${limit})`,
    )
    await inBatches(
      db,
      (limit) => sql`
      UPDATE event_log SET event = NULL WHERE realm_id = ${id} AND id IN (
        SELECT e.id FROM event_log e
        WHERE e.realm_id = ${id} AND e.created_at < ${now - presenceEventSeconds} AND e.type = 'presence' AND e.event IS NOT NULL
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

/**
 * Returns the number up to which a log may end, 0 if nowhere. What remains has no gap: it begins with an entry that is young. Times
 * of entries need not rise with their numbers, as clocks differ, and are set. An entry of tomorrow or later is one of a clock that
 * was ahead, and goes with those around it.
 */
async function endOfOldEntries(
  db: Db,
  realmId: number,
  { before, surelyBefore, now }: { before: number; surelyBefore: number; now: number },
): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT max(e.id) AS id FROM event_log e
    WHERE e.realm_id = ${realmId}
      AND e.id < coalesce((
        SELECT y.id FROM event_log y
        WHERE y.realm_id = ${realmId} AND y.created_at >= ${before} AND y.created_at < ${now + day}
        ORDER BY y.id LIMIT 1), (SELECT h.last_event_id + 1 FROM realm_head h WHERE h.realm_id = ${realmId}))
      AND (e.created_at < ${surelyBefore}
        OR e.id <= coalesce((SELECT min(q.reached) FROM event_queue q WHERE q.realm_id = ${realmId}),
          (SELECT h.last_event_id FROM realm_head h WHERE h.realm_id = ${realmId})))`.execute(db)
  return rows[0]?.id ?? 0
}

/** Finds the organizations that may have something to remove, by one query: those at rest have none. */
async function withOldRows(db: Db, now: number, keysBefore: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT h.realm_id AS id FROM realm_head h
    WHERE (SELECT created_at NOT BETWEEN ${now - presenceEventSeconds} AND ${now + day}
        FROM event_log e WHERE e.realm_id = h.realm_id ORDER BY e.id LIMIT 1)
      OR h.realm_id IN (SELECT realm_id FROM idempotency_key WHERE created_at < ${keysBefore})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes the entries of audit logs that are older than their organization wants. */
export async function pruneAuditLogs(db: Db, now: number, stopping?: AbortSignal) {
  const days = sql<number | null>`(settings->>'audit_log_retention_days')::bigint`
  for (const realm of await db
    .selectFrom('realm')
    .where(days, 'is not', null)
    // Rows that a move is copying, or has left behind, do not count as the organization.
    .where('id', 'in', db.selectFrom('realm_head').select('realm_id'))
    .select(['id', days.as('days')])
    .execute()) {
    if (stopping?.aborted) return
    if (realm.days !== null) await removeAuditEntries(db, realm.id, now - realm.days * day)
  }
}

/** Removes an organization's entries from before a time. The database refuses to remove any others. */
async function removeAuditEntries(db: Db, realmId: number, before: number) {
  for (;;) {
    const removed = await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('rookery.audit_remove_before', ${String(before)}, true)`.execute(trx)
      const { numAffectedRows } = await sql`
        DELETE FROM audit_entry WHERE realm_id = ${realmId} AND id IN (
          SELECT id FROM audit_entry WHERE realm_id = ${realmId} AND at < ${before} ORDER BY at, id LIMIT ${prunedPerStep})`.execute(
        trx,
      )
      return Number(numAffectedRows)
    })
    if (removed < prunedPerStep) return
  }
}

async function inBatches(db: Db, statement: (limit: number) => ReturnType<typeof sql>) {
  for (;;) {
    const { numAffectedRows } = await statement(prunedPerStep).execute(db)
    if (Number(numAffectedRows) < prunedPerStep) return
  }
}

const pruneSeconds = 3_600
/** A server that has just started is first used, then cleaned up. */
const firstSeconds = 60

export function pruneRegularly(
  databases: Databases,
  urls: DatabaseUrls,
  days: number,
  clock: () => number,
  report: (error: unknown) => void,
): Repeated {
  const pruneAll = async (stopping: AbortSignal) => {
    const prunings = databases.all.map(async ({ db }) => {
      await prune(db, days, clock(), stopping)
      await pruneAuditLogs(db, clock(), stopping)
    })
    if (databases.all.length > 1) prunings.push(removeLeftBehind(databases, urls, clock(), report, stopping))
    for (const pruning of await Promise.allSettled(prunings)) {
      if (pruning.status === 'rejected') report(pruning.reason)
    }
  }
  const pruning = repeatEvery(pruneSeconds, pruneAll, report)
  setTimeout(guard(report, pruning.now), firstSeconds * 1000).unref()
  return pruning
}
