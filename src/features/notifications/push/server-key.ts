import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { PushServerKeyRow } from '../../../db/schema.ts'
import { must } from '../../../lib/must.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Commit } from '../../../log/realm-log.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/**
 * Returns the key pair that identifies an organization to push services of browsers (VAPID). Browsers that subscribed
 * with one key cannot be reached with another, so it never changes.
 */
export async function serverKey(read: Reader, realm: RealmState): Promise<PushServerKeyRow | undefined> {
  return read.selectFrom('push_server_key').where('realm_id', '=', realm.id).selectAll().executeTakeFirst()
}

/** Returns the key pair, and creates it if there is none. */
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
  return must(await serverKey(read, realm), 'key of the server')
}

/**
 * Returns the operator's contact for push services: the URL if it is valid for this purpose, and a mail address
 * otherwise.
 */
export function pushContact(realm: RealmState, site: Site): string {
  const { protocol, hostname } = site.publicUrl
  return protocol === 'https:' ? realmUrl(site, realm.row) : `mailto:noreply@${hostname}`
}
