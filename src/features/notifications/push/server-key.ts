import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { PushServerKeyRow } from '../../../db/schema.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Commit } from '../../../log/realm-log.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/**
 * The pair of keys by which push services of browsers know an organization (VAPID). Browsers that subscribed with one
 * are not reached with another, so it never changes.
 */
export async function serverKey(read: Reader, realm: RealmState): Promise<PushServerKeyRow | undefined> {
  return read.selectFrom('push_server_key').where('realm_id', '=', realm.id).selectAll().executeTakeFirst()
}

/** The same, made if there is none yet. */
export async function serverKeyOrNew(
  read: Reader,
  realm: RealmState,
  commit: Commit,
): Promise<PushServerKeyRow> {
  const known = await serverKey(read, realm)
  if (known) return known
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await commit((change) =>
    change.run(sql`
      INSERT INTO push_server_key (realm_id, public_key, private_key, created_at)
      VALUES (${realm.id}, ${publicKey}, ${privateKey}, ${change.now}) ON CONFLICT DO NOTHING`),
  )
  return (await serverKey(read, realm))!
}

/** Where a push service finds who runs this server: a URL if it is a good one, or else an address. */
export function contact(realm: RealmState, site: Site): string {
  const { protocol, hostname } = site.publicUrl
  return protocol === 'https:' ? realmUrl(site, realm.realm) : `mailto:noreply@${hostname}`
}
