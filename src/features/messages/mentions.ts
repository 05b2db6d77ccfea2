import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { ApiError } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { Facts } from '../../markdown/render.ts'
import { isInGroup, mayInRealm } from '../groups/access.ts'
import { checkMayMentionGroups } from '../groups/mention-permission.ts'
import { subscribersOf } from '../subscriptions/subscribers.ts'

/** Throws unless the writer may mention these groups, and all of a large channel if that is what they do (level 229). */
export function checkMayMention(
  realm: RealmState,
  me: AccountRow,
  channel: ChannelRow | undefined,
  facts: Facts,
) {
  checkMayMentionGroups(realm, me, facts.mentionedGroupIds)
  if (!facts.wildcard.channel || !channel) return
  if (subscribersOf(realm, channel.id).length <= limits.fewSubscribers) return
  if (mayInRealm(realm, me, 'can_mention_many_users_group')) return
  throw new ApiError(
    'You do not have permission to use channel wildcard mentions in this channel.',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  )
}

/** The users whom a message mentions, by name or in a group, out of those who get it. */
export function mentionedUsers(
  realm: RealmState,
  channel: ChannelRow | undefined,
  recipientId: number,
  { mentionedUserIds, mentionedGroupIds }: Facts,
): number[] {
  if (mentionedUserIds.length + mentionedGroupIds.length === 0) return []
  const receivers = channel
    ? subscribersOf(realm, channel.id)
    : (realm.recipients.get(recipientId)?.user_ids ?? [])
  const byName = new Set(mentionedUserIds)
  return receivers.filter((id) => {
    const user = realm.users.get(id)
    return byName.has(id) || (user && mentionedGroupIds.some((group) => isInGroup(realm, user, group)))
  })
}
