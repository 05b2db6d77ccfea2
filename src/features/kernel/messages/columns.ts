import { sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'

// The columns of messages, declared once: the code derives from them what it reads and writes, so the compiler and PostgreSQL
// both notice a column that is missing.

/** The columns that are derived from a message's text, with their PostgreSQL types. */
const ofText = {
  content: 'text',
  rendered_content: 'text',
  rendered_version: 'smallint',
  is_me_message: 'boolean',
  mentions_channel: 'boolean',
  mentions_topic: 'boolean',
  has_link: 'boolean',
  has_image: 'boolean',
  has_attachment: 'boolean',
} as const

/** The columns of a new message. */
const sent = {
  recipient_id: 'integer',
  sender_id: 'integer',
  topic: 'text',
  client: 'text',
  read_by_sender: 'boolean',
  ...ofText,
} as const

/** Columns that are set when a message is written, edited or moved. */
const later = {
  realm_id: 'integer',
  id: 'bigint',
  sent_at: 'bigint',
  topic_mentioned: 'integer[]',
  edit_history: 'jsonb',
  last_edited_at: 'bigint',
  last_moved_at: 'bigint',
} as const

const all: Record<keyof MessageRow, string> = { ...later, ...sent }

/** A message as it is sent, before it is written. */
export type SentColumns = Pick<MessageRow, keyof typeof sent>

/** The text of a message, and what follows from it. */
export type TextColumns = Pick<MessageRow, keyof typeof ofText | 'topic_mentioned'>

/** The names of the columns that a message is sent with, for SQL; and with their types, for a set of records. */
export const sentNames = Object.keys(sent).join(', ')
export const sentRecord = Object.entries(sent)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')

/** The values of a message that was neither edited nor moved. */
export const unchanged = { edit_history: null, last_edited_at: null, last_moved_at: null }

/** All columns of `message m`, except the search vector, which is as long as the text. */
export const messageColumns = sql.join(Object.keys(all).map((name) => sql.ref(`m.${name}`)))

/** The assignments of an UPDATE that writes a new text. */
export function textAssignments(text: TextColumns) {
  const { topic_mentioned } = later
  return sql.join(
    Object.entries({ ...ofText, topic_mentioned }).map(
      ([name, type]) => sql`${sql.ref(name)} = ${Reflect.get(text, name)}::${sql.raw(type)}`,
    ),
  )
}
