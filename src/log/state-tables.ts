import type { Database } from '../db/schema.ts'
import { namesIn } from '../lib/collections/records.ts'
import { must } from '../lib/must.ts'

/** The columns of a key: one, or two. */
type Key = readonly [string, string?]

/**
 * The tables that every node holds in memory, with the columns of their key (after realm_id). A change to one of
 * their rows puts the row's new image into the log, and RealmState carries itself forward by these images.
 */
export const stateTables = {
  realm: ['id'],
  account: ['id'],
  api_key: ['id'],
  session: ['id'],
  recipient: ['id'],
  channel: ['id'],
  channel_folder: ['id'],
  default_channel_group: ['id'],
  subscription: ['user_id', 'channel_id'],
  user_group: ['id'],
  group_member: ['group_id', 'user_id'],
  group_subgroup: ['group_id', 'subgroup_id'],
  user_status: ['user_id'],
  alert_words: ['user_id'],
  muted_user: ['user_id', 'muted_user_id'],
  onboarding: ['user_id'],
  profile_field: ['id'],
  profile: ['user_id'],
  linkifier: ['id'],
  playground: ['id'],
  allowed_domain: ['id'],
  bot_service: ['bot_id'],
  custom_emoji: ['id'],
  push_device: ['id'],
} as const satisfies Partial<Record<keyof Database, Key>>

export type StateTable = keyof typeof stateTables

/** A row of any of them. */
export type StateRow = Record<string, unknown>

export const stateTableNames = namesIn(stateTables)

export function isStateTable(table: string): table is StateTable {
  return table in stateTables
}

/** The key of a row in its table: the values of the key's columns. */
export type StateKey<T extends StateTable> = (typeof stateTables)[T] extends readonly [string]
  ? [number]
  : [number, number]

/** Returns the key of a row as the log has it: a plain id, or two joined. */
export function stateKey(table: StateTable, row: object): number | string {
  const values = row as Record<string, number>
  const [first, second] = stateTables[table].map((column) => values[column] ?? 0)
  return second === undefined ? must(first, 'key') : `${first}:${second}`
}

/** Returns the values of such a key. */
export function keyValues(key: number | string): number[] {
  return typeof key === 'number' ? [key] : key.split(':').map(Number)
}
