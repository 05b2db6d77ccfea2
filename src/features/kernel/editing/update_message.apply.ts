import { firstIn, lastIn } from '../../../lib/must.ts'
import type { ClientState } from '../../../queues/client-state.ts'
import { addUnread, isMention, mutingFor, removeUnread } from '../flags/client-unread.ts'
import { isSameShownTopic } from '../topics/shown-topic.ts'

/** The fields of an update_message event that clients read. */
export type WireUpdate = {
  message_id: number
  message_ids: number[]
  flags: string[]
  content?: string
  stream_id?: number
  new_stream_id?: number
  orig_subject?: string
  subject?: string
}

/** Moves unread messages to their new location and keeps track of their mentions. */
export function applyUpdateMessage(state: ClientState, event: WireUpdate) {
  if (state.max_message_id !== undefined && bringsToReader(state, event)) {
    state.max_message_id = Math.max(state.max_message_id, lastIn(event.message_ids))
  }
  if (!state.unread_msgs) return
  if (event.orig_subject !== undefined) moveUnread(state, event, event.orig_subject)
  if (event.content !== undefined) noteMention(state, event)
}

/**
 * A message that was only edited was received earlier or not at all: a user who has starred a message may not be
 * subscribed.
 */
function bringsToReader(state: ClientState, event: WireUpdate) {
  return event.new_stream_id !== undefined && isSubscribed(state, event.new_stream_id, event)
}

function moveUnread(state: ClientState, event: WireUpdate, origin: string) {
  const channelId = event.new_stream_id ?? event.stream_id
  if (channelId === undefined) return
  const unread = state.unread_msgs
  const moved = event.message_ids.filter((id) => unreadIds(unread).has(id))
  const topic = event.subject ?? spelling(unread, moved[0]) ?? origin
  if (event.new_stream_id !== undefined && !isSubscribed(state, channelId, event)) {
    removeUnread(state, moved)
    return
  }
  const details = (id: number) => ({
    type: 'stream' as const,
    stream_id: channelId,
    topic,
    unmuted_stream_msg: !mutingFor(state)(channelId, topic),
    ...(unread.mentions.includes(id) && { mentioned: true as const }),
  })
  addUnread(state, Object.fromEntries(moved.map((id) => [id, details(id)])))
  takeSpelling(unread, channelId, topic, moved)
}

/**
 * Returns the spelling of a topic whose oldest unread message is this one. In another channel the topic keeps its own
 * spelling.
 */
function spelling(unread: { streams: Groups }, id: number | undefined) {
  return unread.streams.find((group) => group.unread_message_ids[0] === id)?.topic
}

/** Messages in channels to which the user is not subscribed are never unread. */
function isSubscribed(state: ClientState, channelId: number, event: WireUpdate) {
  if (!state.subscriptions) return !event.flags.includes('read')
  return state.subscriptions.some((one: { stream_id: number }) => one.stream_id === channelId)
}

type Groups = { stream_id: number; topic: string; unread_message_ids: number[] }[]

function unreadIds(unread: { streams: Groups }) {
  return new Set(unread.streams.flatMap((group) => group.unread_message_ids))
}

/** Spells a topic as its oldest unread message does. */
function takeSpelling(unread: { streams: Groups }, channelId: number, topic: string, moved: number[]) {
  for (const group of unread.streams) {
    if (group.stream_id !== channelId || !isSameShownTopic(group.topic, topic)) continue
    if (moved.includes(firstIn(group.unread_message_ids))) group.topic = topic
  }
}

function noteMention(state: ClientState, { message_id, flags }: WireUpdate) {
  const unread = state.unread_msgs
  const others = unread.mentions.filter((id: number) => id !== message_id)
  const holds = (group: { unread_message_ids: number[] }) => group.unread_message_ids.includes(message_id)
  const inTopic: Groups[number] | undefined = unread.streams.find(holds)
  const isUnread = inTopic !== undefined || [...unread.pms, ...unread.huddles].some(holds)
  const isMuted = inTopic !== undefined && mutingFor(state)(inTopic.stream_id, inTopic.topic)
  const isMentioned = isUnread && isMention(flags, isMuted)
  unread.mentions = isMentioned ? [...others, message_id].sort((a, b) => a - b) : others
}
