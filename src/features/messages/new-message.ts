import type { MessageRow } from '../../db/schema.ts'
import type { GroupKind } from '../../log/group.ts'
import type { MessageBody, MessageEvent } from './message.event.ts'

/** A message that is ready to be written: checked, rendered, addressed. */
export type NewMessage = {
  message: Omit<MessageRow, 'realm_id' | 'id' | 'sent_at'>
  realmId: number
  /** Those whom it mentions by name and who receive it. */
  mentioned: number[]
  /** Under which its sender may repeat it. */
  key: string | null
  echo: { queue_id: string; local_id: string } | null
}

/** Sends are committed in groups: one row per message, whatever its audience. */
export const sending: GroupKind<NewMessage> = {
  name: 'send',
  takesMessageId: true,

  sql: (items) => `
    send AS (
      SELECT head.now, x.* FROM head, json_to_recordset(${items}) AS x(
        id bigint, recipient_id integer, sender_id integer, topic text, content text, rendered_content text,
        rendered_version smallint, client text, is_me_message boolean, mentions_channel boolean,
        mentions_topic boolean, read_by_sender boolean, mentioned integer[], key text)
    ), message AS (
      INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version,
        client, is_me_message, mentions_channel, mentions_topic, read_by_sender, sent_at)
      SELECT $1::integer, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client,
        is_me_message, mentions_channel, mentions_topic, read_by_sender, now FROM send
    ), mention AS (
      INSERT INTO message_flag (realm_id, user_id, message_id, flag)
      SELECT $1::integer, unnest(mentioned), id, 'mentioned' FROM send WHERE mentioned <> '{}'
    ), send_key AS (
      INSERT INTO send_key (realm_id, sender_id, key, message_id, created_at)
      SELECT $1::integer, sender_id, key, id, now FROM send WHERE key IS NOT NULL
    )`,

  row: ({ message, mentioned, key }, id) => ({ ...message, id, mentioned, key }),

  entry({ message, realmId, mentioned, echo }, id, now) {
    const event: MessageEvent = { type: 'message', message_id: id, ...(echo && { echo }) }
    const body: MessageBody = { message: { ...message, realm_id: realmId, id, sent_at: now }, mentioned }
    return { event, audience: { message: { id, recipient: message.recipient_id } }, body }
  },
}
