import { sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'

const names = {
  realm_id: true,
  id: true,
  recipient_id: true,
  sender_id: true,
  topic: true,
  content: true,
  rendered_content: true,
  rendered_version: true,
  client: true,
  is_me_message: true,
  mentions_channel: true,
  mentions_topic: true,
  topic_mentioned: true,
  read_by_sender: true,
  sent_at: true,
  edit_history: true,
  last_edited_at: true,
  last_moved_at: true,
  has_link: true,
  has_image: true,
  has_attachment: true,
} satisfies Record<keyof MessageRow, true>

/** All columns of `message m`, except the search vector, which is as long as the text. */
export const messageColumns = sql.join(Object.keys(names).map((name) => sql.ref(`m.${name}`)))
