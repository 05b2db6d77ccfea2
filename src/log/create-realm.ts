import type { Connections } from '../db/database.ts'
import { type Actor, serverActor } from './actor.ts'
import { Change } from './change.ts'
import { RealmState } from './realm-state.ts'

/**
 * Creates an organization and everything that `furnish` adds to it, in one transaction. Its log begins after that: no
 * client can have listened before.
 */
export async function createRealm<T>(
  { db }: Connections,
  realm: { name: string; subdomain: string; created_at: number },
  furnish: (change: Change) => Promise<T>,
  actor: Actor = serverActor,
): Promise<{ realmId: number; result: T }> {
  return db.transaction().execute(async (trx) => {
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
    return { realmId: row.id, result }
  })
}
