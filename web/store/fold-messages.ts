import { batch } from 'solid-js'
import type { WireEvent } from '../api/stream.ts'
import { channelOf, subscribed, withResolvedToggled } from './channels.ts'
import {
  changeMessages,
  forgetMessages,
  type Message,
  message,
  putMessage,
  type Reaction,
} from './messages.ts'
import { isIn } from './narrow.ts'
import { settleOutgoing } from './outbox.ts'
import { noteEvents, readByIds, setFold } from './read-messages.ts'
import { joinWindows, leaveWindows, openWindows, reloadWindows } from './windows.ts'

// Applies events to the messages that were loaded. (The state of the organization is folded in server-state.ts.)

/** How many messages that come to an open view by a change are fetched; the others come when the view is opened again. */
const fetchedAtMost = 200

type Handler = (event: never) => void

const handlers: Record<string, Handler> = {
  message: onMessage,
  update_message: onUpdate,
  delete_message: onDelete,
  update_message_flags: onFlags,
  reaction: onReaction,
  submessage: onSubmessage,
  stream: onChannel,
  subscription: onSubscription,
}

/** Carries the loaded messages, and the windows that show them, forward by events. */
export function foldMessages(events: WireEvent[]) {
  noteEvents(events)
  fold(events)
}

function fold(events: WireEvent[]) {
  for (const event of events) handlers[event.type]?.(event as never)
}

setFold(fold)

function onMessage(event: { message: Message; flags: string[]; local_message_id?: string }) {
  const added = { ...event.message, flags: event.flags }
  // Together, so that the row of a message on its way and that of the message itself change places in one step.
  batch(() => {
    putMessage(added)
    joinWindows(added)
    settleOutgoing(event.local_message_id, added.id)
  })
}

type UpdateEvent = {
  message_id: number
  message_ids: number[]
  stream_id?: number
  new_stream_id?: number
  subject?: string
  topic_links?: Message['topic_links']
  orig_subject?: string
  rendered_content?: string
  is_me_message?: boolean
  edit_timestamp?: number
  rendering_only: boolean
  flags: string[]
}

function onUpdate(event: UpdateEvent) {
  const isMoved = event.subject !== undefined || event.new_stream_id !== undefined
  if (event.rendered_content !== undefined) {
    changeMessages([event.message_id], (old) => edited(old, event))
    // An edit may add the mention of the user, or take it away.
    void recheckKind(
      'mentioned',
      [event.message_id],
      event.flags.some((flag) => flag.endsWith('mentioned')),
    )
  }
  if (!isMoved) return
  changeMessages(event.message_ids, (old) => moved(old, event))
  for (const window of openWindows()) window.recheck(event.message_ids)
  if (event.new_stream_id !== undefined) leaveWindows(event.message_ids)
  void fetchMovedIn(event)
}

/** Lets messages that are of a kind now, or no longer, join the open lists of those that are, or are not. */
async function recheckKind(kind: string, ids: number[], isNow: boolean) {
  for (const window of openWindows()) window.recheck(ids)
  const operator = isNow ? 'is' : '-is'
  const windows = openWindows().filter(({ terms }) =>
    terms.some((one) => one.operator === operator && one.operand === kind),
  )
  const unknown = ids.filter((id) => !message(id)).slice(-fetchedAtMost)
  if (windows.length === 0 || unknown.length === 0) return
  await readByIds(unknown, () => {
    for (const window of windows) window.recheck(unknown)
  })
}

/** Fetches messages that were not loaded and have come to a conversation that is shown. */
async function fetchMovedIn({ message_ids, stream_id, new_stream_id, ...topics }: UpdateEvent) {
  const unknown = message_ids.filter((id) => !message(id)).slice(-fetchedAtMost)
  // Messages that only change their channel keep their topic.
  const subject = topics.subject ?? topics.orig_subject
  const place = { type: 'stream', stream_id: new_stream_id ?? stream_id, subject, flags: [] as string[] }
  const isShown = openWindows().some(
    ({ terms }) => terms.length > 0 && isIn(terms, place as Message) !== false,
  )
  if (unknown.length === 0 || !isShown) return
  await readByIds(unknown, () => {
    for (const window of openWindows()) window.recheck(unknown)
  })
}

function edited(old: Message, event: UpdateEvent): Message {
  return {
    ...old,
    content: event.rendered_content ?? old.content,
    is_me_message: event.is_me_message ?? old.is_me_message,
    flags: withKept(event.flags, old.flags),
    ...(!event.rendering_only && event.edit_timestamp && { last_edit_timestamp: event.edit_timestamp }),
  }
}

/** The flags that an update names are those that follow from the content. */
function withKept(flags: string[], old: string[]) {
  const fromContent = [
    'mentioned',
    'has_alert_word',
    'wildcard_mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
  ]
  return [...new Set([...old.filter((flag) => !fromContent.includes(flag)), ...flags])]
}

function moved(old: Message, event: UpdateEvent): Message {
  // Resolving a topic renames it, but does not count as a move.
  const isMove = event.new_stream_id !== undefined || event.subject !== withResolvedToggled(old.subject)
  return {
    ...old,
    ...(event.subject !== undefined && { subject: event.subject, topic_links: event.topic_links ?? [] }),
    ...(event.new_stream_id !== undefined && { stream_id: event.new_stream_id }),
    ...(isMove && event.edit_timestamp && { last_moved_timestamp: event.edit_timestamp }),
  }
}

function onDelete({ message_ids, message_id }: { message_ids?: number[]; message_id?: number }) {
  const gone = message_ids ?? (message_id === undefined ? [] : [message_id])
  for (const window of openWindows()) window.remove(gone)
  forgetMessages(gone)
}

function onFlags({
  op,
  flag,
  messages,
  all,
}: {
  op: 'add' | 'remove'
  flag: string
  messages: number[]
  all?: boolean
}) {
  const ids = all ? openWindows().flatMap((window) => window.ids()) : messages
  changeMessages(ids, (old) => {
    if (old.flags.includes(flag) === (op === 'add')) return old
    return { ...old, flags: op === 'add' ? [...old.flags, flag] : old.flags.filter((one) => one !== flag) }
  })
  // Messages stay in a list of unread ones until it is opened again: they would vanish while being read.
  if (flag === 'read') return
  void recheckKind(flag, ids, op === 'add')
}

function onReaction({ op, message_id, ...event }: Reaction & { op: 'add' | 'remove'; message_id: number }) {
  const { emoji_name, emoji_code, reaction_type, user_id } = event
  const reaction = { emoji_name, emoji_code, reaction_type, user_id }
  changeMessages([message_id], (old) => {
    const others = old.reactions.filter((one) => !isSame(one, reaction))
    return { ...old, reactions: op === 'add' ? [...others, reaction] : others }
  })
}

function isSame(a: Reaction, b: Reaction) {
  return a.emoji_code === b.emoji_code && a.reaction_type === b.reaction_type && a.user_id === b.user_id
}

type SubmessageEvent = {
  message_id: number
  submessage_id: number
  sender_id: number
  msg_type: string
  content: string
}

function onSubmessage({ message_id, submessage_id: id, sender_id, msg_type, content }: SubmessageEvent) {
  if (message(message_id)?.submessages.some((one) => one.id === id)) return
  changeMessages([message_id], (old) => ({
    ...old,
    submessages: [...old.submessages, { id, sender_id, msg_type, content }],
  }))
}

/** Channels of which messages were forgotten, because the user may not read them, or no longer all of them. */
const lost = new Set<number>()

function onChannel({ op, stream_ids, streams }: { op: string; stream_ids?: number[]; streams?: Place[] }) {
  if (op === 'delete') forgetChannels((stream_ids ?? []).filter((id) => !channelOf(id)))
  if (op === 'create') regain(streams)
}

function onSubscription({ op, subscriptions }: { op: string; subscriptions?: Place[] }) {
  if (op === 'add') regain(subscriptions)
  if (op !== 'remove') return
  const ids = subscriptions?.map(({ stream_id }) => stream_id) ?? []
  const closed = ids.filter((id) => channelOf(id)?.invite_only && !subscribed().has(id))
  forgetChannels(closed)
  // Some may still read a private channel; the server knows.
  if (closed.length > 0) reloadWindows()
}

type Place = { stream_id: number }

function forgetChannels(ids: number[]) {
  for (const id of ids) lost.add(id)
  const isGone = (id: number) => ids.includes(message(id)?.stream_id ?? -1)
  onDelete({ message_ids: openWindows().flatMap((window) => window.ids().filter(isGone)) })
}

/** Windows have gaps where the messages of a channel were forgotten. */
function regain(places: Place[] = []) {
  const back = places.filter(({ stream_id }) => lost.delete(stream_id))
  if (back.length > 0) reloadWindows()
}
