import type { Database } from '../db/schema.ts'
import { namesIn, recordOf } from '../lib/records.ts'

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

export const stateTableNames = namesIn(stateTables)

export function isStateTable(table: string): table is StateTable {
  return table in stateTables
}

/** Returns the key of a row: a plain id, or its parts joined. */
export function stateKey(table: StateTable, row: object): number | string {
  return rowKeyIn(table)(row)
}

/** Returns the function that computes the key of a row of this table. */
export function rowKeyIn(table: StateTable): (row: object) => number | string {
  return keysIn[table]
}

const keysIn = recordOf(stateTableNames, (table): ((row: object) => number | string) =>
  keyOfColumns(stateTables[table]),
)

/** Reads the columns directly: drafts ask for the key of every row that they show, and a large organization has millions. */
function keyOfColumns([column, second]: Key) {
  const read = (row: object, name: string) => (row as Record<string, number>)[name] ?? 0
  if (second === undefined) return (row: object) => read(row, column)
  return (row: object) => `${read(row, column)}:${read(row, second)}`
}
