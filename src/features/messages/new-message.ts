import type { MessageRow } from '../../db/schema.ts'
import type { GroupKind } from '../../log/group.ts'
import { widgetSubmessage } from '../widgets/submessages.ts'
import type { MessageBody, MessageEvent } from './message.event.ts'

/** A new message has not been edited or moved. */
const unchanged = { edit_history: null, last_edited_at: null, last_moved_at: null }

/** A message that is ready to be written: checked, rendered, addressed. */
export type NewMessage = {
  message: Omit<MessageRow, 'realm_id' | 'id' | 'sent_at' | keyof typeof unchanged>
  realmId: number
  /** Those whom it mentions by name and who receive it. */
  mentioned: number[]
  /** Under which its sender may repeat it. */
  key: string | null
  echo: { queue_id: string; local_id: string } | null
  /** What makes it a widget, if it is one. */
  widget?: string | null
  /** If given, it comes as read to all others. Their read state is up to the caller. */
  unreadFor?: number[]
  /** If given, it comes as read to these. Their read state is up to the caller. */
  readBy?: number[]
}

/** Sends are committed in groups: one row per message, whatever its audience. */
export const sending: GroupKind<NewMessage> = {
  name: 'send',
  takesMessageId: true,

  writes: {
    sql: (items) => `
      send AS (
        SELECT head.now, x.* FROM head, json_to_recordset(${items}) AS x(
          id bigint, recipient_id integer, sender_id integer, topic text, content text, rendered_content text,
          rendered_version smallint, client text, is_me_message boolean, mentions_channel boolean,
          mentions_topic boolean, read_by_sender boolean, has_link boolean, has_image boolean,
          has_attachment boolean, mentioned integer[], key text, widget text)
      ), message AS (
        INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version,
          client, is_me_message, mentions_channel, mentions_topic, read_by_sender, has_link, has_image, has_attachment,
          sent_at)
        SELECT $1::integer, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client,
          is_me_message, mentions_channel, mentions_topic, read_by_sender, has_link, has_image, has_attachment, now
        FROM send
      ), mention AS (
        INSERT INTO message_flag (realm_id, user_id, message_id, flag)
        SELECT $1::integer, unnest(mentioned), id, 'mentioned' FROM send WHERE mentioned <> '{}'
      ), send_key AS (
        INSERT INTO send_key (realm_id, sender_id, key, message_id, created_at)
        SELECT $1::integer, sender_id, key, id, now FROM send WHERE key IS NOT NULL
      ), widget AS (
        INSERT INTO submessage (realm_id, message_id, id, sender_id, msg_type, content, is_widget)
        SELECT $1::integer, id, 2 * id, sender_id, 'widget', widget, true FROM send WHERE widget IS NOT NULL
      )`,

    row: ({ message, mentioned, key, widget }, id) => ({ ...message, id, mentioned, key, widget }),
  },

  entry({ message, realmId, mentioned, echo, widget, unreadFor, readBy }, id, now) {
    const event: MessageEvent = {
      type: 'message',
      message_id: id,
      ...(echo && { echo }),
      ...(unreadFor && { unread_for: unreadFor }),
      ...(readBy && { read_by: readBy }),
    }
    const body: MessageBody = {
      message: {
        ...message,
        ...unchanged,
        realm_id: realmId,
        id,
        sent_at: now,
        submessages: widget ? [widgetSubmessage(id, message.sender_id, widget)] : null,
      },
      mentioned,
    }
    return { event, audience: { message: { id, recipient: message.recipient_id } }, body }
  },
}
