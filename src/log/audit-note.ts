import { sql } from 'kysely'
import type { Db, Writer } from '../db/database.ts'
import type { Actor } from './actor.ts'
import { actorColumns, type Note } from './audit-trail.ts'

/** Adds an entry to the audit log of an organization that is not loaded, where nothing else changes with it. */
export async function noteInAuditLog(
  db: Db | Writer,
  realmId: number,
  actor: Actor,
  note: Note,
  now: number,
) {
  const { kind, object, objectId = null, details = null } = note
  const name = sql<string>`(SELECT name FROM realm WHERE id = ${realmId})`
  await db
    .insertInto('audit_entry')
    .values({
      realm_id: realmId,
      at: now,
      kind,
      object,
      object_id: objectId,
      object_name: object === 'organization' ? name : null,
      ...actorColumns(actor),
      actor_name: null,
      before: null,
      after: details && JSON.stringify(details),
    } as never)
    .execute()
}
