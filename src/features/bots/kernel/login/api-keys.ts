import { randomInt } from 'node:crypto'
import type { ApiKeyRow } from '../../../../db/schema.ts'
import { firstIn } from '../../../../lib/must.ts'
import { hashKey } from '../../../../lib/secrets/hash-key.ts'
import type { Secrets } from '../../../../lib/secrets/sealed.ts'
import type { Change } from '../../../../log/change.ts'
import { invalidateUnknown } from '../../../kernel/push/devices.ts'
import { apiKeyLimits } from './limits.ts'
import { sealApiKey } from './sealed-key.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns exactly 32 letters and digits: mobile clients decode only keys of this length. */
export function newApiKey(): string {
  return Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Revokes all keys of a user and creates a new one. Returns the new key. `secrets`: as for addApiKey. */
export async function replaceApiKeys(
  change: Change,
  userId: number,
  client: string,
  secrets?: Secrets,
): Promise<string> {
  await endApiKeys(change, userId)
  return addApiKey(change, userId, client, secrets)
}

/** Revokes all keys of a user. Their devices stop receiving notifications, and those of which no login is known. */
export async function endApiKeys(change: Change, userId: number) {
  const keys = [...change.state.apiKeysOfUser(userId)]
  await change.deleteAll(
    'api_key',
    keys.map(({ id }) => ({ id })),
  )
  await invalidateUnknown(change, userId, 'apps')
  await invalidateUnknown(change, userId, 'browsers')
}

/**
 * Creates an API key of a user for a client. Returns the key. Only its hash is stored, unless `secrets` seals it: that
 * is for bots, whose owners may read it again. If the user has too many keys, the one that was unused for longest is
 * revoked, of the same client if possible. So a script that logs in at every run does not log out other clients. `key`: a
 * key made with newApiKey.
 */
export async function addApiKey(
  change: Change,
  userId: number,
  client: string,
  secrets?: Secrets,
  key = newApiKey(),
): Promise<string> {
  const keys = [...change.state.apiKeysOfUser(userId)].sort(byUse)
  if (keys.length >= apiKeyLimits.apiKeysPerUser) {
    const { id } = keys.find((key) => key.client === client) ?? firstIn(keys)
    await change.deleteAll('api_key', [{ id }])
  }
  const { now } = change
  const row = { user_id: userId, client, hash: hashKey(key), created_at: now, last_used_at: now }
  const place = { realm_id: change.state.id, ...row }
  await change.insert('api_key', { ...row, sealed: secrets ? sealApiKey(secrets, place, key) : null })
  return key
}

/**
 * Orders keys by their last use, the longest unused first. The server notes a use once a day, so of the keys of one day,
 * those that were used on the day of their login alone come first.
 */
function byUse(a: ApiKeyRow, b: ApiKeyRow): number {
  return dayOfUse(a) - dayOfUse(b) || wasUsedLater(a) - wasUsedLater(b) || a.id - b.id
}

function dayOfUse({ last_used_at, created_at }: ApiKeyRow): number {
  return Math.floor((last_used_at ?? created_at) / 86_400)
}

function wasUsedLater({ last_used_at, created_at }: ApiKeyRow): number {
  return Number((last_used_at ?? created_at) > created_at)
}
