import { sql } from 'kysely'
import { receivedMessage } from '../../../queues/audience.ts'
import type { EventType, Listener } from '../../../queues/event-type.ts'
import { authorVariant } from '../users/author-view.ts'
import { seesEmail } from '../users/user-view.ts'
import { originalWidgetSql } from '../widgets/submessages.ts'
import { mayRead } from './access.ts'
import { asSent, type Called, deletedMessage, type MessageAsSent } from './as-sent.ts'
import { messageColumns } from './columns.ts'
import { applyMessage } from './message.apply.ts'
import {
  isOneOnOne,
  type MessageFormat,
  type MessageToShow,
  type MessageView,
  messageView,
} from './message-view.ts'
import { passesQueueNarrow } from './narrow.ts'
import { textSizes } from './text-sizes.ts'
import { wildcardFlags } from './wildcards.ts'

/** In the log, a message event only refers to its message. */
export type MessageEvent = {
  type: 'message'
  message_id: number
  /** The client that sent the message, and the data that it receives even if the message is deleted first. */
  echo?: { queue_id: string; local_id: string } & Partial<MessageAsSent>
  /** The users that the message called when it was sent, if any; null if there are too many to list. */
  called?: Called | null
  /** If given, the message arrives as read for all other users. */
  unread_for?: number[]
  /** The message arrives as read for these users. */
  read_by?: number[]
}

/**
 * The message as it was sent, with the users whom it mentions by name or whose alert words it contains, and with only
 * those additions that it had when sent. `recipient` is its current recipient, or null if it has been deleted.
 */
export type MessageBody = {
  message: MessageToShow
  mentioned: number[]
  alerted: number[]
  recipient: number | null
}

type OnWire = { message: MessageView & { stream_id?: number }; flags: string[] }

declare module '../../../log/entry.ts' {
  interface Events {
    message: MessageEvent
  }
}

export const messageEvent = {
  type: 'message',

  // By the time of delivery, the message may have been deleted, or moved to a channel that this listener may not read.
  variant(event, listener, body) {
    if (!mayReceive(event, listener, body)) return null
    const { applyMarkdown, clientGravatar, emptyTopicName } = formatOf(listener)
    const shape = `${+applyMarkdown}${+clientGravatar}${+emptyTopicName}`
    const ownFlags = flagsOf(event, listener, body).join()
    const own = isOneOnOne(listener.state, body.message) ? listener.me.id : ''
    const echo = isEcho(event, listener, body) ? 'echo' : ''
    const sender = listener.state.users.require(body.message.sender_id)
    const visibility = `${+seesEmail(listener.me, sender)}${authorVariant(listener.state, sender, listener.me)}`
    return `${shape}|${ownFlags}|${own}|${echo}|${visibility}`
  },

  wire(event, listener, body) {
    const { state, site, me } = listener
    return {
      type: 'message',
      message: messageView(state, site, body.message, me, formatOf(listener)),
      flags: flagsOf(event, listener, body),
      ...(event.echo && isEcho(event, listener, body) && echoOf(event.echo)),
    }
  },

  async bodies(read, state, events) {
    const ids = events.map((event) => event.message_id)
    const flagged = (flag: string) => sql`array(
      SELECT user_id FROM message_flag f
      WHERE f.realm_id = m.realm_id AND f.message_id = m.id AND f.flag = ${flag})`
    const rows = await read.rows<MessageToShow & Omit<MessageBody, 'message'>>(sql`
      SELECT ${messageColumns}, ${originalWidgetSql} AS submessages,
        ${flagged('mentioned')} AS mentioned, ${flagged('has_alert_word')} AS alerted
      FROM message m WHERE m.realm_id = ${state.id} AND m.id = ANY(${ids}::bigint[])`)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return events.map((event): MessageBody | undefined => {
      const row = byId.get(event.message_id)
      if (row) return { ...asSent(state, { ...row, message: row }, event), recipient: row.recipient_id }
      const { sender_id, recipient_id, topic, sent_at } = event.echo ?? {}
      if (!sender_id || !recipient_id || topic === undefined || !sent_at) return undefined
      const sent = { sender_id, recipient_id, topic, sent_at }
      return { ...deletedMessage(state.id, event.message_id, sent), recipient: null }
    })
  },

  sizes: (read, state, events) =>
    textSizes(
      read,
      state,
      events.map((event) => event.message_id),
    ),

  about: (event) => [event.message_id],

  passesNarrow(event, listener, body) {
    return passesQueueNarrow(listener, body.message, flagsOf(event, listener, body))
  },

  apply: applyMessage,
} satisfies EventType<MessageEvent, MessageBody, OnWire>

function formatOf({ queue: { options } }: Listener): MessageFormat {
  const { applyMarkdown, clientGravatar, capabilities } = options
  return { applyMarkdown, clientGravatar, emptyTopicName: capabilities.empty_topic_name }
}

function mayReceive(event: MessageEvent, listener: Listener, body: MessageBody) {
  const { message, recipient } = body
  if (recipient === null) return isEcho(event, listener, body)
  return mayRead(listener.state, listener.me, { id: message.id, recipient_id: recipient })
}

function isEcho(event: MessageEvent, { queue, me }: Listener, { message }: MessageBody) {
  return event.echo?.queue_id === queue.id && message.sender_id === me.id
}

/** Both names are needed: clients read the first one, and the API's description has the second. */
function echoOf({ local_id }: NonNullable<MessageEvent['echo']>) {
  return { local_message_id: local_id, local_id }
}

// The flags at the time of sending. Later changes arrive in update_message_flags events.
function flagsOf(
  event: MessageEvent,
  { state, me }: Listener,
  { message, mentioned, alerted }: MessageBody,
): string[] {
  const sent = { id: message.id, recipient: message.recipient_id }
  const flags: string[] = []
  const isOwn = message.sender_id === me.id && message.read_by_sender
  const isOld = event.unread_for?.includes(me.id) === false || event.read_by?.includes(me.id)
  if (isOwn || isOld) flags.push('read')
  if (mentioned.includes(me.id)) flags.push('mentioned')
  if (alerted.includes(me.id)) flags.push('has_alert_word')
  const callsMany = message.mentions_channel || message.topic_mentioned !== null
  return callsMany && receivedMessage(state, sent, me.id)
    ? [...flags, ...wildcardFlags(message, me.id)]
    : flags
}
