import type { RequestKey } from '../../../http/idempotency.ts'
import type { Json } from '../../../lib/json.ts'
import { batchedWrite } from '../../../log/batched-write.ts'
import type { Audience } from '../../../log/entry.ts'
import { linkPreviewJob } from '../link-previews/job-kind.ts'
import type { Trigger } from '../outgoing-webhooks/triggers.ts'
import type { AutomaticVisibility } from '../topics/automatic-visibility.ts'
import type { VisibilityPolicy } from '../topics/visibility.ts'
import { widgetSubmessage } from '../widgets/submessages.ts'
import type { Called } from './as-sent.ts'
import { type SentColumns, sentNames, sentRecord } from './columns.ts'
import { messageLimits } from './limits.ts'
import { checkMaySendStill } from './may-send.ts'
import type { MessageBody, MessageEvent } from './message.event.ts'

/** The response to a send. */
export type SentMessage = {
  id: number
  automatic_new_visibility_policy?: number // level 218: 2 unmuted, 3 followed
}

/** A message that is ready to be written: checked, rendered and addressed. */
export type NewMessage = {
  message: SentColumns
  realmId: number
  /** The number of the log up to which it is known that its sender may send it; absent for notices of the server. */
  checkedAt?: number
  /** The recipients that it mentions, by name or through a group. */
  mentioned: number[]
  /** The mentioned bots that receive it without being subscribed. */
  calledBots?: number[]
  /** The recipients whose alert words it contains. */
  alerted?: number[]
  /** The users that it calls as participants of its topic. */
  topicMentioned?: number[]
  /** The sorted participants, if the message starts a conversation. It has no recipient yet. */
  begins?: readonly number[]
  /** The visibility policies that it triggers for its topic; see addMessage. */
  automaticVisibility?: AutomaticVisibility | undefined
  /** The sender's new visibility policy for its topic, if it changed. */
  policy?: VisibilityPolicy
  /** The idempotency key under which the sender may repeat the request. */
  key: RequestKey | null
  /** The response to the sender, if it is more than the message's id. */
  answer?: Json
  echo: { queue_id: string; local_id: string } | null
  /** The content that makes it a widget, if it is one. */
  widget?: string | null
  /** The outgoing webhooks that it triggers. */
  triggers?: Trigger[]
  /** The paths of the uploads that it links to; see addMessage. */
  uploads?: string[]
  /** Whether it links to pages that are to be read for previews of them. */
  hasUnreadPages?: boolean
  /** If given, the message arrives as read for all other users. The caller updates their read state. */
  unreadFor?: number[]
  /** The message arrives as read for these users, and their read state is updated. */
  readBy?: number[]
}

/** Commits sends in groups: one row per message, whatever the size of its audience. */
export const sendMessageWrite = batchedWrite<NewMessage>({
  name: 'send',
  takesMessageId: true,

  writes: {
    sql: (items) => `
      send AS (
        SELECT head.now, x.* FROM head, json_to_recordset(${items}) AS x(
          id bigint, ${sentRecord}, mentioned integer[], alerted integer[],
          topic_mentioned integer[], read_by integer[], key text, request text, queue_id uuid, answer text, widget text,
          triggers json, unread_pages boolean)
      ), stored AS (
        INSERT INTO message (realm_id, id, ${sentNames}, topic_mentioned, sent_at)
        SELECT $1::integer, id, ${sentNames}, topic_mentioned, now
        FROM send
      )`,

    also: {
      mentioned: `
      mention AS (
        INSERT INTO message_flag (realm_id, user_id, message_id, flag)
        SELECT $1::integer, unnest(mentioned), id, 'mentioned' FROM send
      )`,
      alerted: `
      alert AS (
        INSERT INTO message_flag (realm_id, user_id, message_id, flag)
        SELECT $1::integer, unnest(alerted), id, 'has_alert_word' FROM send
      )`,
      read_by: `
      arrived_read AS (
        -- Ranges begin right after the conversation's previous message, as in markRead, so that they join.
        SELECT user_id, recipient_id, range_agg(int8range(coalesce(in_group, (
          SELECT max(m.id) FROM message m WHERE m.realm_id = $1::integer AND m.recipient_id = s.recipient_id), 0) + 1, id + 1)) AS read
        FROM (SELECT *, lag(id) OVER (PARTITION BY recipient_id ORDER BY id) AS in_group FROM send) AS s, unnest(read_by) AS user_id
        GROUP BY user_id, recipient_id
      ), mark_arrived_read AS (
        INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
        SELECT $1::integer, user_id, recipient_id, read FROM arrived_read
        ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read + excluded.read
      )`,
      key: `
      request_key AS (
        -- The key of an event queue is one only if the sender has that queue.
        INSERT INTO idempotency_key (realm_id, user_id, key, request, answer, created_at)
        SELECT $1::integer, sender_id, key, request, answer, now FROM send
        WHERE key IS NOT NULL AND (queue_id IS NULL OR EXISTS (
          SELECT FROM event_queue q WHERE q.realm_id = $1::integer AND q.id = queue_id AND q.user_id = sender_id))
      )`,
      widget: `
      widget AS (
        INSERT INTO submessage (realm_id, message_id, id, sender_id, msg_type, content, is_widget)
        SELECT $1::integer, id, 2 * id, sender_id, 'widget', widget, true FROM send WHERE widget IS NOT NULL
      )`,
      triggers: `
      outgoing AS (
        INSERT INTO outgoing_request (realm_id, bot_id, message_id, trigger, created_at)
        SELECT $1::integer, t.bot_id, send.id, t.trigger, send.now
        FROM send, json_to_recordset(triggers) AS t(bot_id integer, trigger text) RETURNING id, created_at
      ), outgoing_job AS (
        INSERT INTO job (realm_id, kind, subject_id, due_at)
        SELECT $1::integer, 'outgoing', id, created_at FROM outgoing
      )`,
      unread_pages: `
      page_job AS (
        INSERT INTO job (realm_id, kind, subject_id, due_at)
        SELECT $1::integer, '${linkPreviewJob}', id, now FROM send WHERE unread_pages
      )`,
    },

    // Undefined fields are not in the JSON.
    row: (
      {
        message,
        mentioned,
        alerted,
        topicMentioned,
        readBy,
        key,
        policy,
        answer,
        widget,
        triggers,
        hasUnreadPages,
      },
      id,
    ) =>
      Object.assign(withId(message, id), {
        mentioned: mentioned.length > 0 ? mentioned : undefined,
        alerted: alerted?.length ? alerted : undefined,
        topic_mentioned: topicMentioned,
        read_by: readBy?.length ? readBy : undefined,
        key: key?.key,
        request: key?.request,
        queue_id: key?.queueId,
        answer: key ? JSON.stringify(answer ?? { id, automatic_new_visibility_policy: policy }) : undefined,
        widget,
        triggers: triggers?.length ? triggers : undefined,
        unread_pages: hasUnreadPages || undefined,
      }),
  },

  entry(sent, id, now, state) {
    if (sent.checkedAt !== undefined && state.changedAt > sent.checkedAt) checkMaySendStill(state, sent)
    const { message, realmId, mentioned, alerted, topicMentioned } = sent
    const { calledBots, echo, widget, unreadFor, readBy } = sent
    const event: MessageEvent = { type: 'message', message_id: id }
    if (echo) event.echo = { ...echo, ...echoFields(message), sent_at: now }
    const called = calledBy({ message, mentioned, alerted, topicMentioned })
    if (called !== undefined) event.called = called
    if (unreadFor) event.unread_for = unreadFor
    if (readBy?.length) event.read_by = readBy
    const body: MessageBody = {
      message: Object.assign(withId(message, id), {
        realm_id: realmId,
        topic_mentioned: topicMentioned ?? null,
        sent_at: now,
        edit_history: null,
        last_edited_at: null,
        last_moved_at: null,
        submessages: widget ? [widgetSubmessage(id, message.sender_id, widget)] : null,
      }),
      mentioned,
      alerted: alerted ?? [],
      recipient: message.recipient_id,
    }
    const audience: Audience = { message: { id, recipient: message.recipient_id } }
    if (calledBots) audience.users = calledBots
    return { event, audience, body }
  },
})

/** Returns the fields of a message that its echo has besides the time. */
function echoFields({ sender_id, recipient_id, topic }: SentColumns) {
  return { sender_id, recipient_id, topic }
}

/**
 * Returns the users that the message calls; undefined if there are none, null if there are too many to list in its
 * event.
 */
function calledBy({
  message,
  mentioned,
  alerted = [],
  topicMentioned = [],
}: Pick<NewMessage, 'message' | 'mentioned' | 'alerted' | 'topicMentioned'>): Called | null | undefined {
  const count = mentioned.length + alerted.length + topicMentioned.length
  if (count === 0 && !message.mentions_channel) return undefined
  if (count > messageLimits.calledInLog) return null
  return {
    ...(mentioned.length > 0 && { mentioned }),
    ...(alerted.length > 0 && { alerted }),
    ...(message.mentions_channel && { channel: true }),
    ...(topicMentioned.length > 0 && { topic: topicMentioned }),
  }
}

/**
 * Returns a message with its id. Assigns field by field: spreading an object of this size costs more than anything else
 * in writing a message.
 */
function withId(message: SentColumns, id: number): SentColumns & { id: number } {
  return {
    id,
    recipient_id: message.recipient_id,
    sender_id: message.sender_id,
    topic: message.topic,
    content: message.content,
    rendered_content: message.rendered_content,
    rendered_version: message.rendered_version,
    client: message.client,
    is_me_message: message.is_me_message,
    mentions_channel: message.mentions_channel,
    mentions_topic: message.mentions_topic,
    read_by_sender: message.read_by_sender,
    has_link: message.has_link,
    has_image: message.has_image,
    has_attachment: message.has_attachment,
  }
}
