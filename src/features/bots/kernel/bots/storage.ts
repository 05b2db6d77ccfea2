import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { botLimits } from './limits.ts'

/** Returns a user's stored values by key: all, or only these keys. Throws if one of the keys does not exist. */
export async function readStorage(read: Reader, realmId: number, userId: number, keys?: string[]) {
  const rows = await read.rows<{ key: string; value: string }>(
    sql`SELECT key, value FROM bot_storage WHERE realm_id = ${realmId} AND user_id = ${userId}
        AND (${keys === undefined} OR key = ANY(${keys ?? []}::text[])) ORDER BY key`,
  )
  const storage = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  checkAllFound(keys, rows)
  return storage
}

/** Returns a user's stored values whose keys have this prefix, by key. */
export async function findStored(read: Reader, realmId: number, userId: number, prefix: string) {
  const rows = await read.rows<{ key: string; value: string }>(
    sql`SELECT key, value FROM bot_storage WHERE realm_id = ${realmId} AND user_id = ${userId}
        AND starts_with(key, ${prefix}) ORDER BY key`,
  )
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/** Stores values under their keys and replaces existing ones. The total size per user is limited, in characters. */
export async function writeStorage(change: Change, userId: number, values: Record<string, string>) {
  const { id } = change.state
  const entries = Object.entries(values)
  await change.run(
    sql`INSERT INTO bot_storage (realm_id, user_id, key, value)
        SELECT ${id}, ${userId}, key, value
        FROM unnest(${entries.map(([key]) => key)}::text[], ${entries.map(([, value]) => value)}::text[]) AS x (key, value)
        ON CONFLICT (realm_id, user_id, key) DO UPDATE SET value = EXCLUDED.value`,
  )
  checkLimits(firstIn(await change.run(usedQuery(id, userId, []))))
}

/** Throws if storing these values, besides those of other keys, would exceed a limit. */
export async function checkRoom(
  read: Reader,
  realmId: number,
  userId: number,
  values: Record<string, string>,
) {
  const keys = Object.keys(values)
  checkLimits({ size: 0, keys: keys.length })
  const others = firstIn(await read.rows(usedQuery(realmId, userId, keys)))
  const texts = Object.entries(values).flat()
  const size = texts.reduce((sum, text) => sum + characters(text), others.size)
  checkLimits({ size, keys: others.keys + keys.length })
}

/** Counts as PostgreSQL does: a surrogate pair is one character. */
function characters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

type Used = { size: number; keys: number }

/** Counts what a user has stored under other keys than these. */
function usedQuery(realmId: number, userId: number, besides: string[]) {
  return sql<Used>`
    SELECT coalesce(sum(length(key) + length(value)), 0)::integer AS size, count(*)::integer AS keys
    FROM bot_storage WHERE realm_id = ${realmId} AND user_id = ${userId} AND key <> ALL(${besides}::text[])`
}

function checkLimits({ size, keys }: Used) {
  if (size > botLimits.botStorageLength) {
    throw badRequest(`Request exceeds the storage limit of ${botLimits.botStorageLength} characters.`)
  }
  if (keys > botLimits.botStorageKeys) {
    throw badRequest(`Request exceeds the storage limit of ${botLimits.botStorageKeys} keys.`)
  }
}

/** Returns the keys under which the user has stored something: all of them, or these. Throws if one of these is missing. */
export async function storedKeys(read: Reader, realmId: number, userId: number, keys?: string[]) {
  const rows = await read.rows<{ key: string }>(
    sql`SELECT key FROM bot_storage WHERE realm_id = ${realmId} AND user_id = ${userId}
        AND (${keys === undefined} OR key = ANY(${keys ?? []}::text[]))`,
  )
  checkAllFound(keys, rows)
  return rows.map(({ key }) => key)
}

/** Deletes the values under these keys, as far as they exist. Returns the deleted keys. */
export function deleteStored(change: Change, userId: number, keys: string[]) {
  return change.run(
    sql<{ key: string }>`DELETE FROM bot_storage WHERE realm_id = ${change.state.id} AND user_id = ${userId}
        AND key = ANY(${keys}::text[]) RETURNING key`,
  )
}

function checkAllFound(keys: string[] | undefined, rows: { key: string }[]) {
  if (keys && rows.length < new Set(keys).size) throw badRequest('Key does not exist.')
}
