import type { Reader } from '../../../../db/database.ts'
import { isSameSecret } from '../../../../lib/secrets/is-same-secret.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { sign, signingKey } from './signing.ts'

/** The path prefix of proxied external pictures. */
const root = '/external_content'

const keys = new WeakMap<RealmState, string>()

/** Returns a function that creates signed proxy addresses for external URLs. Only this server can create them. */
export async function externalAddresses(read: Reader, realm: RealmState): Promise<(url: string) => string> {
  const key = await keyOf(read, realm)
  return (url) => `${root}/${digest(key, url)}/${Buffer.from(url).toString('hex')}`
}

/** Returns the target URL of a proxy address, or undefined if this server did not sign it. */
export async function externalTarget(
  read: Reader,
  realm: RealmState,
  given: string,
  hex: string,
): Promise<URL | undefined> {
  const url = Buffer.from(hex, 'hex').toString()
  const isOurs = isSameSecret(given, digest(await keyOf(read, realm), url))
  return isOurs && URL.canParse(url) ? new URL(url) : undefined
}

function digest(key: string, url: string) {
  return sign(key, 'external', url, 'hex').slice(0, 40)
}

async function keyOf(read: Reader, realm: RealmState): Promise<string> {
  const key = keys.get(realm) ?? (await signingKey(read, realm.id))
  keys.set(realm, key)
  return key
}
