import { sql } from 'kysely'
import { allUrls, type Databases, type DatabaseUrls } from '../../db/databases.ts'
import { withLongWriter } from '../../db/long-writer.ts'
import { tryCopyLock } from '../../db/move-lock.ts'
import { logLimits } from '../limits.ts'
import { RealmPlaces } from '../realm-places.ts'
import { deleteRows } from './delete-realm.ts'

/**
 * Deletes the rows of organizations that are no longer in a database, or never arrived there, because a move ended
 * midway. `report` receives the failures; one of them does not stop the rest.
 */
export async function removeLeftBehind(
  databases: Databases,
  given: DatabaseUrls,
  now: number,
  report: (error: unknown) => void,
  stopping?: AbortSignal,
) {
  const places = new RealmPlaces(databases)
  const attempt = (work: () => Promise<unknown>) => work().catch(report)
  // First end dead moves: their target databases would keep the copy, as the organization would seem to be on its way there.
  for (const id of await places.moving()) {
    if (stopping?.aborted) return
    await attempt(() => places.endDeadMove(id))
  }
  for (const [name, url] of allUrls(given))
    await attempt(async () => {
      for (const id of await closedIn(databases, name)) {
        if (stopping?.aborted) return
        await attempt(async () => {
          // If a dead move has closed the log, the jobs of the organization wait, even while no user comes.
          await places.openDatabaseOf(id)
          if (await isLeft(databases, name, id, now)) await remove(databases, name, url, id, now)
        })
      }
    })
}

/** Returns the organizations of which a database has rows, but whose log is not open there. */
async function closedIn(databases: Databases, name: string): Promise<number[]> {
  const rows = await databases.named(name).read.rows<{ id: number }>(sql`
    SELECT id FROM realm r WHERE NOT EXISTS (SELECT FROM realm_head h WHERE h.realm_id = r.id) ORDER BY id`)
  return rows.map(({ id }) => id)
}

/** Whether the organization is in another database, is not being moved here, and its last move is so long ago that every server knows it. */
async function isLeft({ main }: Databases, name: string, realmId: number, now: number): Promise<boolean> {
  const rows = await main.read.rows(sql`
    SELECT FROM realm_place WHERE realm_id = ${realmId} AND database <> ${name}
      AND moving_to IS DISTINCT FROM ${name} AND changed_at < ${now - logLimits.leftBehindSeconds}`)
  return rows.length > 0
}

async function remove(databases: Databases, name: string, url: string, realmId: number, now: number) {
  await withLongWriter(url, (db) =>
    db.transaction().execute(async (trx) => {
      // A command that hangs may hold the lock for long. The next round tries again.
      if (!(await tryCopyLock(trx, realmId))) return
      // A move that brings it here says so before it takes the lock.
      if (await isLeft(databases, name, realmId, now)) await deleteRows(trx, realmId)
    }),
  )
}
