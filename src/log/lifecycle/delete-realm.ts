import { sql } from 'kysely'
import { rowsBy, tableShapes } from '../../db/catalog.ts'
import type { Writer } from '../../db/database.ts'
import type { Databases } from '../../db/databases.ts'
import { allowAuditRemoval, withLongWriter } from '../../db/long-writer.ts'
import { tryCopyLock, withMoveLock } from '../../db/move-lock.ts'
import { mainDatabase } from '../../lib/main-database.ts'
import { firstIn, must } from '../../lib/must.ts'
import { RealmPlaces } from '../realm-places.ts'

/**
 * Deletes an organization from all databases. In its present database, one transaction deletes all of its rows. The caller removes the files.
 * Nodes notice the deletion within seconds. `urls`: the URLs of all databases, by name.
 */
export async function deleteRealm(
  databases: Databases,
  urls: ReadonlyMap<string, string>,
  realmId: number,
): Promise<void> {
  await withMoveLock(must(urls.get(mainDatabase), 'main database'), realmId, async (main) => {
    const { name } = await new RealmPlaces(databases).settle(realmId)
    const url = must(urls.get(name), `database ${name}`)
    // Rows that moves have left in other databases must not be taken for the organization once the directory has forgotten it.
    for (const [other, otherUrl] of urls)
      if (other !== name) await deleteFrom(otherUrl, (trx) => deleteLeft(trx, other, realmId))
    await deleteFrom(url, async (trx) => {
      // No node writes meanwhile.
      firstIn((await sql`SELECT 1 FROM realm_head WHERE realm_id = ${realmId} FOR UPDATE`.execute(trx)).rows)
      await deleteRows(trx, realmId)
    })
    await main.query('DELETE FROM realm_place WHERE realm_id = $1', [realmId])
  })
}

function deleteFrom(url: string, work: (trx: Writer) => Promise<void>): Promise<void> {
  return withLongWriter(url, (db) => db.transaction().execute(work))
}

async function deleteLeft(trx: Writer, name: string, realmId: number) {
  // Without the lock, a move that hangs could add rows later, and no organization would own them.
  if (await tryCopyLock(trx, realmId)) return deleteRows(trx, realmId)
  throw new Error(
    `Another command or a server writes rows of this organization in the database ${name}. Try again in a moment. If that does not help, end the realm move that hangs.`,
  )
}

/** Deletes all rows of an organization from a database. */
export async function deleteRows(trx: Writer, realmId: number) {
  // The audit log is deleted with the organization.
  await allowAuditRemoval(trx)
  const shapes = await tableShapes(rowsBy(trx))
  for (const { name, columns } of shapes.reverse()) {
    if (!columns.includes('realm_id') || name === 'realm_place') continue
    await sql`DELETE FROM ${sql.table(name)} WHERE realm_id = ${realmId}`.execute(trx)
  }
  await sql`DELETE FROM realm WHERE id = ${realmId}`.execute(trx)
}
