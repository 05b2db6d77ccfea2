import { countBelow } from '../../../lib/collections/count-below.ts'
import type { ClientState } from '../../../queues/client-state.ts'
import { isMuted } from '../topics/is-muted.ts'
import { isSameShownTopic, shownTopicKey } from '../topics/shown-topic.ts'

/** The details that a client needs of a message that has become unread again. */
export type MessageDetails = {
  mentioned?: true
} & (
  | { type: 'stream'; stream_id: number; topic: string; unmuted_stream_msg: boolean }
  | { type: 'private'; user_ids: number[] }
)

/** `unread_msgs` as a client maintains it. */
type Unread = {
  count: number
  mentions: number[]
  streams: { stream_id: number; topic: string; unread_message_ids: number[] }[]
  pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[]
  huddles: { user_ids_string: string; unread_message_ids: number[] }[]
}

export function removeUnread(state: ClientState, ids: number[]) {
  const unread: Unread = state.unread_msgs
  const gone = new Set(ids)
  const isThere = (list: number[]) => ids.length > 8 || ids.some((id) => has(list, id))
  const keep = (list: number[]) => (isThere(list) ? list.filter((id) => !gone.has(id)) : list)
  const thin = <T extends { unread_message_ids: number[] }>(groups: T[]) =>
    groups
      .map((group) => {
        const kept = keep(group.unread_message_ids)
        return kept === group.unread_message_ids ? group : { ...group, unread_message_ids: kept }
      })
      .filter((group) => group.unread_message_ids.length > 0)
  unread.streams = thin(unread.streams)
  unread.pms = thin(unread.pms)
  unread.huddles = thin(unread.huddles)
  unread.mentions = unread.mentions.filter((id) => !gone.has(id))
  countUnread(state)
}

export function clearUnread(unread: Unread) {
  Object.assign(unread, { count: 0, mentions: [], streams: [], pms: [], huddles: [] })
}

export function addUnread(state: ClientState, details: Record<string, MessageDetails>) {
  removeUnread(state, Object.keys(details).map(Number))
  const unread: Unread = state.unread_msgs
  for (const [key, detail] of Object.entries(details)) {
    const id = Number(key)
    insert(groupFor(unread, detail, state.user_id), id)
    if (detail.mentioned) unread.mentions = [...unread.mentions, id].sort((a, b) => a - b)
  }
  countUnread(state)
}

/** Counts the unread messages. Muted messages do not count, so the count must be repeated whenever muting changes. */
export function countUnread(state: ClientState) {
  const unread: Unread | undefined = state.unread_msgs
  if (!unread) return
  const mutes = mutingFor(state)
  const shown = unread.streams.filter(({ stream_id, topic }) => !mutes(stream_id, topic))
  const groups = [...shown, ...unread.pms, ...unread.huddles]
  unread.count = groups.reduce((count, group) => count + group.unread_message_ids.length, 0)
}

/**
 * Returns a function that tells whether the client's user has muted a topic or its channel. Data that the client has not
 * asked for counts as not muted.
 */
export function mutingFor({ subscriptions = [], user_topics = [] }: ClientState) {
  const muted = subscriptions.filter((one: { is_muted: boolean }) => one.is_muted)
  const channels = new Set<number>(muted.map((one: { stream_id: number }) => one.stream_id))
  const policies = new Map<string, number>()
  for (const { stream_id, topic_name, visibility_policy } of user_topics) {
    policies.set(`${stream_id} ${shownTopicKey(topic_name)}`, visibility_policy)
  }
  return (channelId: number, topic: string) =>
    isMuted(policies.get(`${channelId} ${shownTopicKey(topic)}`), channels.has(channelId))
}

/** Returns whether these flags make a message a mention. In muted topics, only mentions of the user by name count. */
export function isMention(flags: string[], isMuted: boolean) {
  return flags.includes('mentioned') || (!isMuted && flags.some((flag) => flag.endsWith('_mentioned')))
}

function groupFor(unread: Unread, detail: MessageDetails, myId: number | undefined): number[] {
  if (detail.type === 'stream') {
    const { stream_id, topic } = detail
    const same = (group: Unread['streams'][number]) =>
      group.stream_id === stream_id && isSameShownTopic(group.topic, topic)
    return findOrAdd(unread.streams, same, { stream_id, topic, unread_message_ids: [] })
  }
  if (detail.user_ids.length > 1) {
    const ids = myId === undefined ? detail.user_ids : [...detail.user_ids, myId]
    const user_ids_string = ids.sort((a, b) => a - b).join()
    return findOrAdd(unread.huddles, (group) => group.user_ids_string === user_ids_string, {
      user_ids_string,
      unread_message_ids: [],
    })
  }
  const other = detail.user_ids[0] ?? myId ?? 0
  return findOrAdd(unread.pms, (group) => group.other_user_id === other, {
    other_user_id: other,
    sender_id: other,
    unread_message_ids: [],
  })
}

/** Returns the ids of the unread messages in a group. Adds `fresh` to the groups if there is no such group. */
function findOrAdd<T extends { unread_message_ids: number[] }>(
  groups: T[],
  same: (group: T) => boolean,
  fresh: T,
) {
  const group = groups.find(same)
  if (group) return group.unread_message_ids
  groups.push(fresh)
  return fresh.unread_message_ids
}

function insert(ids: number[], id: number) {
  // Nearly always it is the newest.
  if (id > (ids.at(-1) ?? 0)) ids.push(id)
  else ids.splice(countBelow(ids, id), 0, id)
}

/** Whether a list in rising order has an id. */
function has(ids: number[], id: number) {
  return ids[countBelow(ids, id)] === id
}
