import { sql } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { LogClosed } from '../head.ts'
import type { RealmDatabase } from '../realm-database.ts'
import type { Actor } from './actor.ts'
import { actorColumns, type Note } from './trail.ts'

/** Adds an entry to the audit log of an organization that is not loaded, where nothing else changes with it. */
export async function noteInAuditLog(trx: Writer, realmId: number, actor: Actor, note: Note, now: number) {
  const { kind, object, objectId = null, details = null } = note
  const name = sql<string>`(SELECT name FROM realm WHERE id = ${realmId})`
  await trx
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

/** Adds an entry in the organization's present database: it may have been moved since the caller looked it up. */
export async function noteWhereOpen(
  database: RealmDatabase,
  realmId: number,
  actor: Actor,
  note: Note,
  now: number,
) {
  await database.whereOpen(() =>
    database.db.transaction().execute(async (trx) => {
      // A move that closes the log waits for this.
      const head = sql`SELECT FROM realm_head WHERE realm_id = ${realmId} FOR KEY SHARE`
      if ((await head.execute(trx)).rows.length === 0)
        throw new LogClosed(`realm ${realmId} is not in this database`)
      await noteInAuditLog(trx, realmId, actor, note, now)
    }),
  )
}
