import { sql } from 'kysely'
import { allUrls, type Databases, type DatabaseUrls } from '../db/databases.ts'
import { withLongWriter } from '../db/long-writer.ts'
import { copyLock } from '../db/move-lock.ts'
import { must } from '../lib/must.ts'
import { deleteRows } from './delete-realm.ts'
import { logLimits } from './limits.ts'
import { RealmPlaces } from './realm-places.ts'

/** Deletes the rows that moves have left where an organization is no longer, or where it has never arrived. */
export async function removeLeftBehind(
  databases: Databases,
  given: DatabaseUrls,
  now: number,
  stopping?: AbortSignal,
) {
  const urls = allUrls(given)
  const places = new RealmPlaces(databases)
  // Otherwise, their targets keep a copy for which the organization seems to be under way.
  await places.endDeadMoves()
  for (const [name, { read }] of databases.entries) {
    const rows = await read.rows<{ id: number }>(sql`
      SELECT id FROM realm r WHERE NOT EXISTS (SELECT FROM realm_head h WHERE h.realm_id = r.id)`)
    const url = must(urls.get(name), `database ${name}`)
    for (const { id } of rows) {
      if (stopping?.aborted) return
      // If a dead move has closed it, its jobs wait, also while no user comes.
      await places.openDatabaseOf(id)
      if (await isLeft(databases, name, id, now)) await remove(databases, name, url, id, now)
    }
  }
}

/** Whether the organization is elsewhere, does not come here, and every server has noticed. */
async function isLeft({ main }: Databases, name: string, realmId: number, now: number): Promise<boolean> {
  const rows = await main.read.rows(sql`
    SELECT FROM realm_place WHERE realm_id = ${realmId} AND database <> ${name}
      AND moving_to IS DISTINCT FROM ${name} AND changed_at < ${now - logLimits.leftBehindSeconds}`)
  return rows.length > 0
}

async function remove(databases: Databases, name: string, url: string, realmId: number, now: number) {
  await withLongWriter(url, (db) =>
    db.transaction().execute(async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(${copyLock}::integer, ${realmId}::integer)`.execute(trx)
      // A move that brings it here says so before it takes the lock.
      if (await isLeft(databases, name, realmId, now)) await deleteRows(trx, realmId)
    }),
  )
}
