import { type RawBuilder, sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import type { Edit } from '../../../db/values.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import { must } from '../../../lib/must.ts'
import type { EventType, Listener } from '../../../queues/event-type.ts'
import { hasMetadataAccess } from '../channels/access.ts'
import { linksOfTopic } from '../linkifiers/topic-links.ts'
import { mayRead, readableOf } from '../messages/access.ts'
import { isMeText } from '../messages/message-text.ts'
import { receptionOf } from '../messages/reader-flags.ts'
import { textSizes } from '../messages/text-sizes.ts'
import { wildcardFlags } from '../messages/wildcards.ts'
import { realmSettings } from '../settings/settings.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import { applyUpdateMessage, type WireUpdate } from './update_message.apply.ts'

/** In the log, the event only refers to the texts, which are stored with the message. */
export type UpdateEvent = {
  type: 'update_message'
  /** Null if no user made the change; see isRendering. */
  user_id: number | null
  edit_timestamp: number
  message_id: number
  /** In ascending order. */
  message_ids: number[]
  /** The recipient of the messages before the change. */
  recipient: number
  /** If the message's text has changed: the number of this edit, counted from 1. */
  edit?: number
  /** The users whom the new text calls and the earlier one did not. Clients learn it from their flags. */
  called?: CalledByEdit
  /** The new text calls fewer users than the earlier one. */
  callsFewer?: true
  /** The text is the same and was only rendered again. */
  isRendering?: true
  move?: {
    propagate_mode: string
    from_topic: string
    to_topic?: string
    /** The recipient of the new channel, if the messages were moved to another channel. */
    to_recipient?: number
  }
}

/** The users whom an edit of a channel message calls in addition. */
export type CalledByEdit = {
  /** By name or in a group. */
  mentioned: number[]
  /** As participants of the topic. */
  participants: number[]
  /** All subscribers of the channel but these, whom the message called before. */
  allBut?: number[]
}

/**
 * The first message in its current form, the users who have read it, and the users' other flags on it. Nodes send it to
 * each other as JSON.
 */
type UpdateBody = {
  message?: MessageRow
  readers: readonly number[]
  flags: readonly (readonly [user: number, flag: string])[]
}

declare module '../../../log/entry.ts' {
  interface Events {
    update_message: UpdateEvent
  }
}

export const updateMessageEvent = {
  type: 'update_message',

  // A user who may not read the messages at their new location receives a delete_message event instead.
  variant(event, listener, body) {
    const ids = idsFor(event, listener)
    const hasText = showsText(event, listener, body)
    if (ids.length === 0 || !(event.move || hasText)) return null
    const { empty_topic_name } = listener.queue.options.capabilities
    const flags = flagsOf(event, listener, body)
    const some = ids === event.message_ids ? '' : ids.join()
    return `${some}|${flags.join()}|${+empty_topic_name}|${+hasText}|${Object.keys(channelView(event, listener)).length}`
  },

  wire(event, listener, body) {
    const ids = idsFor(event, listener)
    return {
      type: 'update_message',
      user_id: event.user_id,
      edit_timestamp: event.edit_timestamp,
      message_id: ids.includes(event.message_id) ? event.message_id : ids[0],
      rendering_only: event.isRendering ?? false,
      ...(body.message && showsText(event, listener, body) && textView(event, listener, body.message)),
      ...channelView(event, listener),
      ...(event.move && moveView(event.move, listener)),
      message_ids: ids,
      flags: flagsOf(event, listener, body),
    }
  },

  async bodies(read, state, events) {
    const ids = [...new Set(events.map((event) => event.message_id))]
    const rows = await read.rows(bodyQuery(state.id, ids))
    const bodies = new Map(rows.map((row) => [row.message.id, bodyOf(row)]))
    return events.map((event) => bodies.get(event.message_id) ?? nothing)
  },

  sizes: (read, state, events) =>
    textSizes(
      read,
      state,
      events.map((event) => event.message_id),
    ),

  about: (event) => [event.message_id],
  changes: (event) => event.message_ids,
  apply: applyUpdateMessage,
} satisfies EventType<UpdateEvent, UpdateBody, WireUpdate>

/** If the message has been deleted since, other messages that were moved with it may still exist. */
const nothing: UpdateBody = { readers: [], flags: [] }

type BodyRow = { message: MessageRow; readers: number[]; flags: [user: number, flag: string][] }

/** The query whose rows bodyOf turns into bodies. */
export function bodyQuery(realmId: number, ids: number[]): RawBuilder<BodyRow> {
  return sql<BodyRow>`
    SELECT to_jsonb(m.*) AS message, array(
      SELECT user_id FROM read_state s
      WHERE s.realm_id = m.realm_id AND s.recipient_id = m.recipient_id AND s.read @> m.id) AS readers,
      (SELECT coalesce(jsonb_agg(jsonb_build_array(user_id, flag) ORDER BY flag), '[]') FROM message_flag f
       WHERE f.realm_id = m.realm_id AND f.message_id = m.id) AS flags
    FROM message m WHERE m.realm_id = ${realmId} AND m.id = ANY(${ids}::bigint[])`
}

export function bodyOf({ message, readers, flags }: BodyRow): UpdateBody {
  return { message, readers, flags }
}

/** The readers and the flags of a body by user. Very many listeners may ask. */
const byUser = memoizePer(({ readers, flags }: UpdateBody) => ({
  readers: new Set(readers),
  flags: groupBy(flags, ([user]) => user),
}))

function idsFor(event: UpdateEvent, { state, me }: Listener) {
  return readableOf(state, me, event.move?.to_recipient ?? event.recipient, event.message_ids)
}

/** New readers of a message that was moved out of a private channel do not learn the name of that channel. */
function channelView({ recipient }: UpdateEvent, { state, me }: Listener) {
  const channel = state.channels.get(state.recipients.get(recipient)?.channel_id ?? 0)
  if (!channel) return {}
  const isKnown = hasMetadataAccess(state, me, channel)
  return { ...(isKnown && { stream_name: channel.name }), stream_id: channel.id }
}

/** The text only goes to users who may read the message at its current location. */
function showsText({ edit, isRendering }: UpdateEvent, { state, me }: Listener, { message }: UpdateBody) {
  return (edit !== undefined || isRendering === true) && message !== undefined && mayRead(state, me, message)
}

function textView({ edit }: UpdateEvent, { state }: Listener, message: MessageRow) {
  if (edit === undefined) return newestText(message)
  const edits = message.edit_history ?? []
  const own = must(edits.at(-edit), 'edit of that number')
  // The next edit of the text stores the result of this one.
  const next = edits.slice(0, edits.length - edit).findLast((one: Edit) => one.content !== undefined)
  const shown = realmSettings(state).message_edit_history_visibility_policy === 'all'
  const content = next?.content ?? message.content
  return {
    ...(shown && { orig_content: own.content, orig_rendered_content: own.rendered }),
    content,
    rendered_content: next?.rendered ?? message.rendered_content,
    is_me_message: isMeText(content),
  }
}

function newestText({ content, rendered_content, is_me_message }: MessageRow) {
  return { content, rendered_content, is_me_message }
}

function moveView(move: NonNullable<UpdateEvent['move']>, { state, queue }: Listener) {
  const name = (topic: string) => shownTopic(topic, queue.options.capabilities.empty_topic_name)
  const { propagate_mode, from_topic, to_topic, to_recipient } = move
  return {
    propagate_mode,
    orig_subject: name(from_topic),
    ...(to_recipient !== undefined && { new_stream_id: state.channelOf(to_recipient).id }),
    ...(to_topic !== undefined && { subject: name(to_topic), topic_links: linksOfTopic(state, to_topic) }),
  }
}

/**
 * Returns the listener's flags on the first message. The message counts as read for users who do not receive it, or no
 * longer do.
 */
function flagsOf(event: UpdateEvent, { state, me }: Listener, body: UpdateBody) {
  const { message } = body
  if (!message || !mayRead(state, me, message)) return event.move?.to_recipient === undefined ? [] : ['read']
  const { readers, flags } = byUser(body)
  const own = (flags.get(me.id) ?? []).map(([, flag]) => flag)
  const reception = receptionOf(state, me, message)
  const isOwn = message.sender_id === me.id && message.read_by_sender
  const isRead = isOwn || readers.has(me.id) || reception !== 'current'
  return [...own, ...(isRead ? ['read'] : []), ...(reception === 'none' ? [] : wildcardFlags(message, me.id))]
}
