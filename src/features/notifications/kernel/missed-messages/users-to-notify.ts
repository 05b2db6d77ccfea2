import type { AccountRow, ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import { derivedPer } from '../../../../log/derived.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { receivedMessage } from '../../../../queues/audience.ts'
import { subscribersOf } from '../../../channels/kernel/subscriptions/subscribers.ts'
import { activeSubscription } from '../../../kernel/channels/access.ts'
import { isMuted } from '../../../kernel/topics/is-muted.ts'
import { visibility } from '../../../kernel/topics/visibility.ts'
import { userSetting } from '../../../kernel/users/settings.ts'

/** The reasons to notify a user of a message, the strongest first. */
const reasons = ['direct', 'mention', 'wildcard', 'followed', 'channel'] as const
type Reason = (typeof reasons)[number]

/** The message fields that decide about notifications. */
export type NotifiableMessage = {
  id: number
  recipient_id: number
  sender_id: number
  topic: string
  mentions_channel: boolean
  /** Users mentioned by name or in a group. */
  mentioned: number[]
  /** The users mentioned by a topic wildcard, or an empty list if there is none. */
  participants: number[]
}

/** Visibility policies by channel and topic (spelled as in a message), then by user. */
export type TopicPolicies = { of(channelId: number, topic: string): ReadonlyMap<number, number> }

export type Missed = { userId: number; messageId: number; reason: Reason }

/** The settings for notifications by mail and on devices. */
export const byMail = {
  direct: 'enable_offline_email_notifications',
  followed: 'enable_followed_topic_email_notifications',
  channels: 'enable_stream_email_notifications',
  channel: 'email_notifications',
} as const
export const pushSettingNames = {
  direct: 'enable_offline_push_notifications',
  followed: 'enable_followed_topic_push_notifications',
  channels: 'enable_stream_push_notifications',
  channel: 'push_notifications',
} as const
export type Medium = typeof byMail | typeof pushSettingNames

/**
 * Returns those of the candidates (users who are away, for example) who want to be notified of a message that they
 * receive, and why.
 */
export function usersToNotify(
  realm: RealmState,
  message: NotifiableMessage,
  policies: TopicPolicies,
  medium: Medium,
  isInQuestion: (userId: number) => boolean,
): Missed[] {
  const { user_ids, channel_id } = realm.recipients.get(message.recipient_id) ?? {}
  const channel = channel_id ? realm.channels.get(channel_id) : undefined
  const topic = channel ? policies.of(channel.id, message.topic) : undefined
  const candidates = channel
    ? inChannel(realm, channel, message, topic!, medium)
    : new Map((user_ids ?? []).map((id) => [id, ['direct' as Reason]]))
  const missed: Missed[] = []
  for (const [userId, why] of candidates) {
    const user = realm.users.get(userId)
    if (!user?.is_active || user.bot_type !== null || userId === message.sender_id) continue
    if (!isInQuestion(userId)) continue
    if (realm.mutedUsers.get(userId, message.sender_id)) continue
    if (!receivedMessage(realm, { id: message.id, recipient: message.recipient_id }, userId)) continue
    const subscription = channel && activeSubscription(realm, userId, channel.id)
    const reason = reasons.find(
      (one) => why.includes(one) && wants(medium, user, one, subscription, topic?.get(userId)),
    )
    if (reason) missed.push({ userId, messageId: message.id, reason })
  }
  return missed
}

function inChannel(
  realm: RealmState,
  channel: ChannelRow,
  message: NotifiableMessage,
  topic: ReadonlyMap<number, number>,
  medium: Medium,
): Map<number, Reason[]> {
  const found = new Map<number, Reason[]>()
  const add = (userIds: Iterable<number>, reason: Reason) => {
    for (const id of userIds) found.set(id, [...(found.get(id) ?? []), reason])
  }
  add(message.mentioned, 'mention')
  if (message.mentions_channel) add(subscribersOf(realm, channel.id), 'wildcard')
  add(message.participants, 'wildcard')
  for (const [userId, policy] of topic) if (policy === visibility.followed) add([userId], 'followed')
  add(wantingChannel(medium)(realm, channel.id), 'channel')
  return found
}

/** Returns whether the user wants notifications for this reason. */
function wants(
  medium: Medium,
  user: AccountRow,
  reason: Reason,
  subscription: SubscriptionRow | undefined,
  policy: number | undefined,
): boolean {
  const isFollowed = policy === visibility.followed
  const isHidden = isMuted(policy, subscription?.is_muted ?? false)
  switch (reason) {
    case 'direct':
    case 'mention':
      return userSetting(user, medium.direct)
    case 'wildcard':
      if (!userSetting(user, medium.direct)) return false
      if (isFollowed && userSetting(user, 'enable_followed_topic_wildcard_mentions_notify')) return true
      return (
        !isHidden && (subscription?.wildcard_mentions_notify ?? userSetting(user, 'wildcard_mentions_notify'))
      )
    case 'followed':
      return isFollowed && userSetting(user, medium.followed)
    case 'channel':
      return !isHidden && wantsChannel(medium, user, subscription)
  }
}

function wantsChannel(medium: Medium, user: AccountRow, subscription: SubscriptionRow | undefined) {
  return subscription?.[medium.channel] ?? userSetting(user, medium.channels)
}

/**
 * Returns the users who want notifications for all messages of a channel. Usually there are few. The result is
 * cached until a user or a subscription changes.
 */
const wantingChannel = memoizePer((medium: Medium) =>
  derivedPer(
    (realm) => `${realm.subscriptions.version} ${realm.users.version}`,
    (realm, channelId: number) =>
      subscribersOf(realm, channelId).filter((id) =>
        wantsChannel(medium, realm.users.require(id), activeSubscription(realm, id, channelId)),
      ),
  ),
)
