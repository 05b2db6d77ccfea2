import type { Reader } from '../../../../db/database.ts'
import { isSameSecret } from '../../../../lib/is-same-secret.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { sign, signingKey } from './signing.ts'

/** The path below which pictures from elsewhere are passed on. */
const root = '/external_content'

const keys = new WeakMap<RealmState, string>()

/** Makes the addresses under which this server passes on what is elsewhere. Only it can make them. */
export async function externalAddresses(read: Reader, realm: RealmState): Promise<(url: string) => string> {
  const key = await keyOf(read, realm)
  return (url) => `${root}/${digest(key, url)}/${Buffer.from(url).toString('hex')}`
}

/** What such an address leads to; undefined if it is not one of ours. */
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
