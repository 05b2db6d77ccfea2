import { type RawBuilder, sql } from 'kysely'
import type { AuditEntryRow } from '../../../db/schema.ts'
import { auditKinds } from '../../../log/audit/kinds.ts'

/** The requested entries. Times are in seconds since 1970: from `since` on, and before `until`. */
export type AuditFilter = {
  actorId?: number | undefined
  object?: string | undefined
  objectId?: number | undefined
  /** A kind, or the first word of several. */
  kind?: string | undefined
  since?: number | undefined
  until?: number | undefined
}

/** The position of an entry among the others. */
export type AuditPosition = { at: number; id: number }

/** The newest of the wanted entries, the newest first: those before a position, at most `limit`. */
export function newestEntries(
  realmId: number,
  filter: AuditFilter,
  limit: number,
  before?: AuditPosition,
): RawBuilder<AuditEntryRow> {
  const isBefore = before ? sql`(e.at, e.id) < (${before.at}, ${before.id})` : sql`true`
  const wanted = sql`${conditionOf(realmId, filter)} AND ${isBefore}`
  if (filter.kind === undefined) {
    return sql`SELECT e.* FROM audit_entry e WHERE ${wanted} ORDER BY e.at DESC, e.id DESC LIMIT ${limit}`
  }
  // The index has the entries of each kind in order, so none is read in vain.
  return sql`
    SELECT found.* FROM unnest(${kindsOf(filter.kind)}::text[]) AS k(kind) CROSS JOIN LATERAL (
      SELECT e.* FROM audit_entry e WHERE ${wanted} AND e.kind = k.kind
      ORDER BY e.at DESC, e.id DESC LIMIT ${limit}) AS found
    ORDER BY found.at DESC, found.id DESC LIMIT ${limit}`
}

/** All of the wanted entries, the oldest first. */
export function allEntries(realmId: number, filter: AuditFilter): RawBuilder<AuditEntryRow> {
  const { kind } = filter
  const isOfKind = kind === undefined ? sql`true` : sql`e.kind = ANY(${kindsOf(kind)}::text[])`
  return sql`
    SELECT e.* FROM audit_entry e WHERE ${conditionOf(realmId, filter)} AND ${isOfKind} ORDER BY e.at, e.id`
}

function conditionOf(realmId: number, { actorId, object, objectId, since, until }: AuditFilter) {
  const conditions: RawBuilder<unknown>[] = [sql`e.realm_id = ${realmId}`]
  if (actorId !== undefined) conditions.push(sql`e.actor_id = ${actorId}::bigint`)
  if (object !== undefined) conditions.push(sql`e.object = ${object}`)
  if (objectId !== undefined) conditions.push(sql`e.object_id = ${objectId}::bigint`)
  if (since !== undefined) conditions.push(sql`e.at >= ${since}::bigint`)
  if (until !== undefined) conditions.push(sql`e.at < ${until}::bigint`)
  return sql.join(conditions, sql` AND `)
}

/** Returns the kinds with this name or first word. */
function kindsOf(kind: string): string[] {
  return auditKinds.filter((known) => known === kind || known.startsWith(`${kind}.`))
}
