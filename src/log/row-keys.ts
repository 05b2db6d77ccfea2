import type { Database } from '../db/schema.ts'
import { isStateTable, stateTables } from './state-tables.ts'

/** The columns of a table's key, after realm_id. */
export function keyColumns(table: keyof Database): readonly string[] {
  if (isStateTable(table)) return stateTables[table]
  return otherKeys[table] ?? ['id']
}

/** The key of a row as one text. */
export function keyOf(table: keyof Database, row: object): string {
  return keyColumns(table)
    .map((column) => (row as Record<string, unknown>)[column])
    .join(':')
}

/** The keys of tables outside the state, where they are not just an id. */
const otherKeys: Partial<Record<keyof Database, readonly string[]>> = {
  credential: ['user_id'],
  identity: ['issuer', 'user_id'],
  message_flag: ['user_id', 'message_id', 'flag'],
  reaction: ['message_id', 'user_id', 'reaction_type', 'emoji_code'],
  navigation_view: ['user_id', 'fragment'],
  job: ['kind', 'subject_id'],
}
