import { sql } from 'kysely'
import type { Connections, Db, Writer } from '../../db/database.ts'
import type { Databases } from '../../db/databases.ts'
import { mainDatabase } from '../../lib/main-database.ts'
import { firstIn } from '../../lib/must.ts'
import { type Actor, serverActor } from '../audit/actor.ts'
import { Change } from '../change.ts'
import { RealmState } from '../realm-state.ts'

/** `database`: the name of the database in which to create it; by default the main one. */
type NewRealm = { name: string; subdomain: string; created_at: number; database?: string | undefined }

/**
 * Creates an organization and everything that `furnish` adds to it, in one transaction. Its log begins after that: no
 * client can have listened before.
 */
export async function createRealm<T>(
  databases: Databases,
  { database = mainDatabase, ...realm }: NewRealm,
  furnish: (change: Change) => Promise<T>,
  actor: Actor = serverActor,
): Promise<{ realmId: number; result: T }> {
  const { db } = databases.named(database)
  if (database === mainDatabase) return createRealmIn(db, realm, furnish, actor)
  return db
    .transaction()
    .execute((trx) =>
      inNewPlace(databases.main, database, realm.created_at, (id) =>
        beginRealm(trx, { ...realm, id }, furnish, actor),
      ),
    )
}

/** Creates an organization in the main database on the caller's connection, for additions that take long. */
export function createRealmIn<T>(
  db: Db,
  realm: Omit<NewRealm, 'database'>,
  furnish: (change: Change) => Promise<T>,
  actor: Actor,
): Promise<{ realmId: number; result: T }> {
  return db.transaction().execute((trx) => beginRealm(trx, realm, furnish, actor))
}

async function beginRealm<T>(
  trx: Writer,
  realm: Omit<NewRealm, 'database'> & { id?: number },
  furnish: (change: Change) => Promise<T>,
  actor: Actor,
): Promise<{ realmId: number; result: T }> {
  const row = await trx.insertInto('realm').values(realm).returningAll().executeTakeFirstOrThrow()
  await trx.insertInto('realm_head').values({ realm_id: row.id }).execute()
  await trx.insertInto('upload_store').values({ realm_id: row.id }).execute()
  const state = new RealmState(row.id, () => realm.created_at)
  state.put(['realm', row.id, row])
  const change = Change.ofNewRealm(state, trx, realm.created_at, actor)
  const result = await furnish(change)
  const { name, subdomain } = realm
  change.note({ kind: 'organization.create', object: 'organization', details: { name, subdomain } })
  await change.finish()
  // The log is still empty, but imported messages have ids.
  await change.advanceHead(0, 0)
  return { realmId: row.id, result }
}

/**
 * Takes an id from the main database, adds the organization to the directory, and does the work that creates it in the other database. If the
 * work fails, nothing is added. The directory is committed before the work, so that no organization is where the directory does not say. So
 * a row without an organization remains only if the other database fails at that moment.
 */
function inNewPlace<T>(
  { db }: Connections,
  database: string,
  now: number,
  work: (id: number) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    // An import that raises the sequence waits for this, and then knows that the id is taken.
    await sql`LOCK TABLE realm IN ROW EXCLUSIVE MODE`.execute(trx)
    const { rows } = await sql<{ id: number }>`
      INSERT INTO realm_place (realm_id, database, changed_at)
      VALUES (nextval(pg_get_serial_sequence('realm', 'id')), ${database}, ${now}) RETURNING realm_id AS id`.execute(
      trx,
    )
    return work(firstIn(rows).id)
  })
}
