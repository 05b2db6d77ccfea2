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

/** Whether somebody may subscribe to a channel. Who already is may, of course. */
export function maySubscribe(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (activeSubscription(realm, me.id, channel.id)) return true
  return !channel.is_archived && hasContentAccess(realm, me, channel)
}

/** Whether somebody may subscribe others to a channel: it takes access to the content, and a permission. */
export function maySubscribeOthers(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (channel.is_archived || !hasContentAccess(realm, me, channel)) return false
  return (
    hasRealmPermission(realm, me, 'can_add_subscribers_group') ||
    hasChannelPermission(realm, me, channel, 'can_add_subscribers_group') ||
    isChannelAdministrator(realm, me, channel)
  )
}

/** Whether somebody may unsubscribe a user (not themselves) from a channel. */
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
