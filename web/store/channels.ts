import { t } from '../lib/i18n.ts'
import { conversationKey } from '../lib/route.ts'
import { derived, field } from './server-state.ts'
import type { Channel } from './server-state-types.ts'

/** All channels that this user can see, by id. */
export const channels = derived(() => {
  const lists = [field('subscriptions'), field('unsubscribed'), field('never_subscribed')]
  return new Map(lists.flatMap((list) => list ?? []).map((channel) => [channel.stream_id, channel]))
})

/** The channels to which this user is subscribed, by id. */
export const subscribed = derived(
  () => new Map((field('subscriptions') ?? []).map((channel) => [channel.stream_id, channel])),
)

export function channelName(id: number): string | undefined {
  return channels().get(id)?.name
}

/** How a channel is named to the user, also one that they cannot see. */
export function shownChannel(id: number): string {
  return channelName(id) ?? t('channel.unknown')
}

export function channelOf(id: number): Channel | undefined {
  return channels().get(id)
}

/** How a user follows a topic; from the API. */
export const policies = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** The policies that differ from the channel's, by channel and topic in lower case. */
const topicPolicies = derived(
  () =>
    new Map(
      (field('user_topics') ?? []).map((one) => [
        conversationKey({ channelId: one.stream_id, topic: one.topic_name }),
        one.visibility_policy,
      ]),
    ),
)

export function policyOf(channelId: number, topic: string): number {
  return topicPolicies().get(conversationKey({ channelId, topic })) ?? policies.inherit
}

/** Whether a topic is muted: by itself, or with its channel unless it is unmuted or followed. */
export function isMutedTopic(channelId: number, topic: string): boolean {
  const policy = policyOf(channelId, topic)
  if (policy === policies.inherit) return subscribed().get(channelId)?.is_muted ?? true
  return policy === policies.muted
}

export function isFollowed(channelId: number, topic: string): boolean {
  return policyOf(channelId, topic) === policies.followed
}

/** How a topic is shown; the topic without a name has one that the organization chooses. */
export function shownTopic(topic: string): string {
  return topic === '' ? field('realm_empty_topic_display_name') : topic
}

const resolvedMark = '✔ '

export function isResolved(topic: string): boolean {
  return topic.startsWith(resolvedMark)
}

/** The name of a topic once it is marked as resolved, or as unresolved if it is resolved. */
export function withResolvedToggled(topic: string): string {
  return isResolved(topic) ? topic.replace(/^(✔ )+/, '') : resolvedMark + topic
}
