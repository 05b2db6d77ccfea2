import { conversationKey } from '../lib/route.ts'
import { isFollowed, isMutedTopic, subscribed } from './channels.ts'
import { mutedUsers } from './people.ts'
import { currentState, derived, field } from './server-state.ts'

export type UnreadTopic = {
  channelId: number
  topic: string
  ids: number[]
  newest: number
  mentions: number
  isMuted: boolean
  isFollowed: boolean
  /** How many of them call for the user: all of a followed topic, else those that mention the user. */
  calls: number
}
export type UnreadDirect = { userIds: number[]; ids: number[]; newest: number; mentions: number }

// Every count that the client shows comes from here, and this from the server's read state alone.

/** The topics of subscribed channels that have unread messages, the newest first. */
export const unreadTopics = derived((): UnreadTopic[] => {
  const { streams = [], mentions = [] } = field('unread_msgs') ?? {}
  const mentioned = new Set(mentions)
  return streams
    .filter(
      ({ stream_id, unread_message_ids }) => subscribed().has(stream_id) && unread_message_ids.length > 0,
    )
    .map(({ stream_id: channelId, topic, unread_message_ids: ids }) => {
      const mentions = countIn(mentioned, ids)
      const follows = isFollowed(channelId, topic)
      return {
        channelId,
        topic,
        ids,
        newest: Math.max(...ids.slice(-1)),
        mentions,
        isMuted: isMutedTopic(channelId, topic),
        isFollowed: follows,
        calls: follows ? ids.length : mentions,
      }
    })
    .sort((a, b) => b.newest - a.newest)
})

/** The direct conversations that have unread messages, the newest first. */
export const unreadDirects = derived((): UnreadDirect[] => {
  const { pms = [], huddles = [], mentions = [] } = field('unread_msgs') ?? {}
  const mentioned = new Set(mentions)
  const own = currentState().user_id
  const conversations = [
    ...pms.map(({ other_user_id, unread_message_ids }) => ({
      userIds: other_user_id === own ? [] : [other_user_id],
      ids: unread_message_ids,
    })),
    ...huddles.map(({ user_ids_string, unread_message_ids }) => ({
      userIds: user_ids_string
        .split(',')
        .map(Number)
        .filter((id) => id !== own),
      ids: unread_message_ids,
    })),
  ]
  return conversations
    .filter(({ userIds, ids }) => ids.length > 0 && !isMutedConversation(userIds))
    .map((one) => ({ ...one, newest: one.ids.at(-1) ?? 0, mentions: countIn(mentioned, one.ids) }))
    .sort((a, b) => b.newest - a.newest)
})

/** Unread messages by channel; muted topics do not count. */
export const unreadByChannel = derived(() => {
  const counts = new Map<number, { count: number; calls: number }>()
  for (const { channelId, ids, calls, isMuted } of unreadTopics()) {
    const count = counts.get(channelId) ?? { count: 0, calls: 0 }
    if (!isMuted) count.count += ids.length
    count.calls += calls
    counts.set(channelId, count)
  }
  return counts
})

const topicsByKey = derived(() => new Map(unreadTopics().map((one) => [conversationKey(one), one])))
const directsByKey = derived(() => new Map(unreadDirects().map((one) => [conversationKey(one), one])))

export function unreadInTopic(channelId: number, topic: string): UnreadTopic | undefined {
  return topicsByKey().get(conversationKey({ channelId, topic }))
}

export function unreadInDirect(userIds: number[]): UnreadDirect | undefined {
  return directsByKey().get(conversationKey({ userIds }))
}

/** All unread messages that count: direct ones, and those of topics that are not muted. */
export const unreadTotal = derived(
  () =>
    unreadDirects().reduce((sum, { ids }) => sum + ids.length, 0) +
    unreadTopics().reduce((sum, { ids, isMuted }) => sum + (isMuted ? 0 : ids.length), 0),
)

/**
 * Counts the unread messages that call for the user: direct messages, mentions and followed topics. The title and the badge show
 * it.
 */
export const unreadCalls = derived(
  () =>
    unreadDirects().reduce((sum, { ids }) => sum + ids.length, 0) +
    unreadTopics().reduce((sum, { calls }) => sum + calls, 0),
)

export const unreadMentions = derived(() => (field('unread_msgs')?.mentions ?? []).length)

function isMutedConversation(userIds: number[]) {
  return userIds.length > 0 && userIds.every((id) => mutedUsers().has(id))
}

function countIn(wanted: Set<number>, ids: number[]) {
  return wanted.size === 0 ? 0 : ids.reduce((count, id) => count + (wanted.has(id) ? 1 : 0), 0)
}
