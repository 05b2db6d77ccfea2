import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { limits } from '../../../../lib/limits.ts'
import type { Change } from '../../../../log/change.ts'

/** What somebody has stored, by key: all, or only these keys. Throws if one of them is not there. */
export async function readStorage(read: Reader, realmId: number, userId: number, keys?: string[]) {
  const rows = await read.rows<{ key: string; value: string }>(
    sql`SELECT key, value FROM bot_storage WHERE realm_id = ${realmId} AND user_id = ${userId}
        AND (${keys === undefined} OR key = ANY(${keys ?? []}::text[])) ORDER BY key`,
  )
  const storage = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  checkAllFound(keys, rows)
  return storage
}

/** What somebody has stored under keys that begin so, by key. */
export async function findStored(read: Reader, realmId: number, userId: number, prefix: string) {
  const rows = await read.rows<{ key: string; value: string }>(
    sql`SELECT key, value FROM bot_storage WHERE realm_id = ${realmId} AND user_id = ${userId}
        AND starts_with(key, ${prefix}) ORDER BY key`,
  )
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Stores values under their keys, over what was there. All that somebody stores has a limit, in characters. */
export async function writeStorage(change: Change, userId: number, values: Record<string, string>) {
  const { id } = change.state
  const entries = Object.entries(values)
  await change.run(
    sql`INSERT INTO bot_storage (realm_id, user_id, key, value)
        SELECT ${id}, ${userId}, key, value
        FROM unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, value]) => value)}::text[]) AS x (key, value)
        ON CONFLICT (realm_id, user_id, key) DO UPDATE SET value = EXCLUDED.value`,
  )
  const [used] = await change.run(
    sql<{
      size: number
    }>`SELECT coalesce(sum(length(key) + length(value)), 0)::integer AS size FROM bot_storage
        WHERE realm_id = ${id} AND user_id = ${userId}`,
  )
  if (used!.size > limits.botStorageLength) {
    throw badRequest(`Request exceeds the storage limit of ${limits.botStorageLength} characters.`)
  }
}

/** Deletes what is stored under these keys, or all. Throws, and deletes nothing, if one of them is not there. */
export async function clearStorage(change: Change, userId: number, keys?: string[]) {
  checkAllFound(keys, await dropStored(change, userId, keys))
}

/** Deletes what is stored under those of these keys that are there, or all; answers which they were. */
export function dropStored(change: Change, userId: number, keys?: string[]) {
  return change.run(
    sql<{ key: string }>`DELETE FROM bot_storage WHERE realm_id = ${change.state.id} AND user_id = ${userId}
        AND (${keys === undefined} OR key = ANY(${keys ?? []}::text[])) RETURNING key`,
  )
}

function checkAllFound(keys: string[] | undefined, rows: { key: string }[]) {
  if (keys && rows.length < new Set(keys).size) throw badRequest('Key does not exist.')
}
