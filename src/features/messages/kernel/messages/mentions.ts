import { botTypes } from '../../../../db/bot-types.ts'
import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import type { Facts } from '../../../../markdown/render.ts'
import { subscribersOf } from '../../../channels/kernel/subscriptions/subscribers.ts'
import { activeSubscription, hasContentAccess } from '../../../kernel/channels/access.ts'
import { hasRealmPermission, isInGroup } from '../../../kernel/groups/access.ts'
import { checkMayMentionGroups } from '../../../people/groups/mention-permission.ts'
import { messagingLimits } from './limits.ts'

/**
 * Throws unless the author may mention these groups, a whole large channel (level 229), or a whole topic with many
 * participants, if the message does so.
 */
export function checkMayMention(
  realm: RealmState,
  me: AccountRow,
  channel: ChannelRow | undefined,
  participants: readonly number[],
  facts: Facts,
) {
  checkMayMentionGroups(realm, me, facts.mentionedGroupIds)
  if (!channel || hasRealmPermission(realm, me, 'can_mention_many_users_group')) return
  const { wildcard } = facts
  if (wildcard.channel && subscribersOf(realm, channel.id).length > messagingLimits.fewSubscribers) {
    throw new ApiError(
      'You do not have permission to use channel wildcard mentions in this channel.',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    )
  }
  if (wildcard.topic && participants.length > messagingLimits.fewSubscribers) {
    throw new ApiError(
      'You do not have permission to use topic wildcard mentions in this topic.',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    )
  }
}

/** Returns the users mentioned by name or in a group, limited to the recipients of the message. */
export function mentionedUsers(
  realm: RealmState,
  receiving: Receiving,
  { mentionedUserIds, mentionedGroupIds }: Facts,
): number[] {
  if (mentionedUserIds.length + mentionedGroupIds.length === 0) return []
  const receivers = receiversOf(realm, receiving)
  const byName = new Set(mentionedUserIds)
  return receivers.filter((id) => {
    const user = realm.users.get(id)
    return byName.has(id) || (user && mentionedGroupIds.some((group) => isInGroup(realm, user, group)))
  })
}

/**
 * Returns the bots that a message mentions by name in a channel which they may read and are not subscribed to. They
 * receive the message anyway, so users need not subscribe a bot to every channel where they want to ask it something.
 */
export function calledBots(
  realm: RealmState,
  channel: ChannelRow | undefined,
  { mentionedUserIds }: Facts,
): number[] {
  if (!channel) return []
  return mentionedUserIds.filter((id) => {
    const bot = realm.users.get(id)
    if (!bot?.is_active || bot.is_system_bot || bot.bot_type !== botTypes.generic) return false
    return !activeSubscription(realm, id, channel.id) && hasContentAccess(realm, bot, channel)
  })
}

/** Returns the recipients of a message whose alert words occur in it. */
export function usersAlertedBy(realm: RealmState, receiving: Receiving, { alertedUserIds }: Facts): number[] {
  if (alertedUserIds.length === 0) return []
  const receivers = new Set(receiversOf(realm, receiving))
  return alertedUserIds.filter((id) => receivers.has(id))
}

/** Returns the recipients of a message who have muted its sender. */
export function mutersAmong(realm: RealmState, receiving: Receiving, senderId: number): number[] {
  const muters = realm.mutersOf(senderId)
  if (muters.size === 0) return []
  const receivers = new Set(receiversOf(realm, receiving))
  return [...muters].map((row) => row.user_id).filter((id) => receivers.has(id))
}

/** A channel, or the participants of a conversation. */
type Receiving = { channel: ChannelRow | undefined; userIds: readonly number[] | null }

function receiversOf(realm: RealmState, { channel, userIds }: Receiving): readonly number[] {
  return channel ? subscribersOf(realm, channel.id) : (userIds ?? [])
}
