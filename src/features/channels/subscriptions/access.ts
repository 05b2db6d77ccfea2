import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import {
  activeSubscription,
  hasChannelPermission,
  hasContentAccess,
  hasMetadataAccess,
  isChannelAdministrator,
} from '../../kernel/channels/access.ts'
import { hasRealmPermission } from '../../kernel/groups/access.ts'

/** Returns whether a user may subscribe to a channel. A user who is already subscribed may. */
export function maySubscribe(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (activeSubscription(realm, me.id, channel.id)) return true
  return !channel.is_archived && hasContentAccess(realm, me, channel)
}

/**
 * Returns whether a user may subscribe other users to a channel. This needs access to the content, and a permission.
 */
export function maySubscribeOthers(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (channel.is_archived || !hasContentAccess(realm, me, channel)) return false
  return (
    hasRealmPermission(realm, me, 'can_add_subscribers_group') ||
    hasChannelPermission(realm, me, channel, 'can_add_subscribers_group') ||
    isChannelAdministrator(realm, me, channel)
  )
}

/** Returns whether a user may unsubscribe another user from a channel. */
export function mayUnsubscribe(
  realm: RealmState,
  me: AccountRow,
  channel: ChannelRow,
  user: AccountRow,
): boolean {
  if (!hasMetadataAccess(realm, me, channel)) return false
  if (isChannelAdministrator(realm, me, channel) || user.bot_owner_id === me.id) return true
  return hasChannelPermission(realm, me, channel, 'can_remove_subscribers_group')
}
