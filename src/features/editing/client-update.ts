import type { ClientState } from '../../queues/event-type.ts'
import { addUnread, removeUnread } from '../flags/client-unread.ts'

/** What clients read of an update_message event. */
type WireUpdate = {
  message_id: number
  message_ids: number[]
  flags: string[]
  content?: string
  stream_id?: number
  new_stream_id?: number
  orig_subject?: string
  subject?: string
}

/** Carries unread messages to where they have moved, and keeps track of whom they mention. */
export function applyUpdate(state: ClientState, event: WireUpdate) {
  if (state.max_message_id !== undefined) {
    state.max_message_id = Math.max(state.max_message_id, event.message_ids.at(-1)!)
  }
  if (!state.unread_msgs) return
  if (event.orig_subject !== undefined) moveUnread(state, event)
  if (event.content !== undefined) noteMention(state, event)
}

function moveUnread(state: ClientState, event: WireUpdate) {
  const channelId = event.new_stream_id ?? event.stream_id!
  const topic = event.subject ?? event.orig_subject!
  const unread = state.unread_msgs
  const moved = event.message_ids.filter((id) => unreadIds(unread).has(id))
  if (event.new_stream_id !== undefined && !isSubscribed(state, channelId, event)) {
    removeUnread(unread, moved)
    return
  }
  const details = (id: number) => ({
    type: 'stream' as const,
    stream_id: channelId,
    topic,
    unmuted_stream_msg: true,
    ...(unread.mentions.includes(id) && { mentioned: true as const }),
  })
  addUnread(state, Object.fromEntries(moved.map((id) => [id, details(id)])))
  takeSpelling(unread, channelId, topic, moved)
}

/** What comes to channels that one is not in is not unread. */
function isSubscribed(state: ClientState, channelId: number, event: WireUpdate) {
  if (!state.subscriptions) return !event.flags.includes('read')
  return state.subscriptions.some((one: { stream_id: number }) => one.stream_id === channelId)
}

type Groups = { stream_id: number; topic: string; unread_message_ids: number[] }[]

function unreadIds(unread: { streams: Groups }) {
  return new Set(unread.streams.flatMap((group) => group.unread_message_ids))
}

/** A topic is spelled as in its oldest unread message. */
function takeSpelling(unread: { streams: Groups }, channelId: number, topic: string, moved: number[]) {
  for (const group of unread.streams) {
    if (group.stream_id !== channelId || group.topic.toLowerCase() !== topic.toLowerCase()) continue
    if (moved.includes(group.unread_message_ids[0]!)) group.topic = topic
  }
}

function noteMention(state: ClientState, { message_id, flags }: WireUpdate) {
  const unread = state.unread_msgs
  const others = unread.mentions.filter((id: number) => id !== message_id)
  const groups: Groups = [...unread.streams, ...unread.pms, ...unread.huddles]
  const isUnread = groups.some((group) => group.unread_message_ids.includes(message_id))
  const isMentioned = isUnread && flags.some((flag) => flag.endsWith('mentioned'))
  unread.mentions = isMentioned ? [...others, message_id].sort((a, b) => a - b) : others
}
