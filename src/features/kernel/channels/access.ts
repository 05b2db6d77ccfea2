import { roles } from '../../../db/roles.ts'
import type { AccountRow, ChannelRow, SubscriptionRow } from '../../../db/schema.ts'
import type { Interval } from '../../../db/values.ts'
import { isAdministrator } from '../../../http/access.ts'
import { ApiError, badRequest, notPermitted } from '../../../lib/api-error.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasPermission, hasRealmPermission } from '../groups/access.ts'
import { type ChannelPermission, channelPermissions } from '../groups/permission-settings.ts'
import { channelName } from './names.ts'
import { isOpenToSpectators, isSpectator } from './web-public.ts'

/** Returns the channel with this id or name (case-insensitive). Archived channels are included. */
export function channelByRef(realm: RealmState, ref: number | string): ChannelRow | undefined {
  return typeof ref === 'number' ? realm.channels.get(ref) : realm.channelByName(lower(ref.trim()))
}

/** Returns the user's subscription if it is currently active. */
export function activeSubscription(
  realm: RealmState,
  userId: number,
  channelId: number,
): SubscriptionRow | undefined {
  const subscription = realm.subscription(userId, channelId)
  return subscription && isActive(subscription) ? subscription : undefined
}

/** Returns whether the last interval of the subscription is still open. */
export function isActive(subscription: SubscriptionRow) {
  return subscription.received.at(-1)?.[1] === null
}

/** Returns whether a user holds a channel permission, judged only by the value of its setting. */
export function hasChannelPermission(
  realm: RealmState,
  user: AccountRow,
  channel: ChannelRow,
  permission: ChannelPermission,
) {
  const value = channel.permissions[permission]
  return value !== undefined && hasPermission(realm, user, value, channelPermissions[permission])
}

/** The permissions that let their holders see a private channel to which they are not subscribed. */
export const grantingPermissions = [
  'can_add_subscribers_group',
  'can_subscribe_group',
  'can_administer_channel_group',
] as const satisfies ChannelPermission[]

/** Returns whether a user may see a channel: its name, settings and subscribers. */
export function hasMetadataAccess(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (isOpenTo(me, channel)) return true
  return activeSubscription(realm, me.id, channel.id) !== undefined || keepsMetadataAccess(realm, me, channel)
}

/** Returns whether a user may see a channel other than by a subscription: they have none, or are about to lose it. */
export function keepsMetadataAccess(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (isAdministrator(me) || keepsContentAccess(realm, me, channel)) return true
  return hasChannelPermission(realm, me, channel, 'can_administer_channel_group')
}

/**
 * Returns whether a user may read a channel, within the history that is open to them. Administrators do not have access
 * by role alone; users who may subscribe themselves or others do.
 */
export function hasContentAccess(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (isOpenTo(me, channel)) return true
  return activeSubscription(realm, me.id, channel.id) !== undefined || keepsContentAccess(realm, me, channel)
}

/** Returns whether a channel is open to a user without any subscription or permission. Checking this first saves most look-ups of subscriptions. */
function isOpenTo(me: AccountRow, channel: ChannelRow): boolean {
  if (isSpectator(me)) return false
  return channel.is_web_public || (!channel.is_private && me.role !== roles.guest)
}

function keepsContentAccess(realm: RealmState, me: AccountRow, channel: ChannelRow): boolean {
  if (isSpectator(me)) return isOpenToSpectators(realm, channel)
  if (isOpenTo(me, channel)) return true
  return (
    hasChannelPermission(realm, me, channel, 'can_add_subscribers_group') ||
    hasChannelPermission(realm, me, channel, 'can_subscribe_group')
  )
}

/**
 * Returns whether a user administers a channel: organization administrators do, and users named in the channel's
 * settings.
 */
export function isChannelAdministrator(realm: RealmState, me: AccountRow, channel: ChannelRow) {
  return isAdministrator(me) || hasChannelPermission(realm, me, channel, 'can_administer_channel_group')
}

/**
 * Throws unless the user may choose who may delete messages in a channel. Not every channel administrator may (level
 * 407).
 */
export function checkMaySetDeletePolicy(realm: RealmState, me: AccountRow) {
  if (isAdministrator(me) || hasRealmPermission(realm, me, 'can_set_delete_message_policy_group')) return
  throw notPermitted()
}

/** Returns a channel that the user may see. Throws for archived channels as if they did not exist (until level 480). */
export function channelToSee(realm: RealmState, me: AccountRow, id: number): ChannelRow {
  const channel = realm.channels.get(id)
  if (!channel || channel.is_archived || !hasMetadataAccess(realm, me, channel)) throw invalidChannelId()
  return channel
}

/** Returns a channel whose messages the user may read. */
export function channelToRead(realm: RealmState, me: AccountRow, id: number): ChannelRow {
  const channel = channelToSee(realm, me, id)
  if (!hasContentAccess(realm, me, channel)) throw invalidChannelId()
  return channel
}

/** Returns a channel that the user may change. Archived channels are included. */
export function channelToAdminister(realm: RealmState, me: AccountRow, id: number): ChannelRow {
  const channel = realm.channels.get(id)
  if (!channel || !hasMetadataAccess(realm, me, channel)) throw invalidChannelId()
  if (!isChannelAdministrator(realm, me, channel)) {
    throw badRequest('You do not have permission to administer this channel.')
  }
  return channel
}

/**
 * Returns a channel that the user may send messages to. A bot may send wherever its owner is subscribed, and system
 * bots may send anywhere.
 */
export function channelToPostIn(realm: RealmState, me: AccountRow, ref: number | string): ChannelRow {
  if (typeof ref === 'string' && ref.trim() === '') throw badRequest("Channel name can't be empty")
  const channel = channelByRef(realm, typeof ref === 'string' ? channelName(ref) : ref)
  if (!channel) throw noSuchChannel(ref)
  if (me.is_system_bot) return channel
  const ownersPlace = me.bot_owner_id !== null && activeSubscription(realm, me.bot_owner_id, channel.id)
  if (channel.is_archived || !(ownersPlace || hasContentAccess(realm, me, channel))) {
    throw badRequest(`Not authorized to send to channel ${shownTo(realm, me, channel, ref)}`)
  }
  if (!mayPost(realm, me, channel)) throw badRequest('You do not have permission to post in this channel.')
  return channel
}

/**
 * Returns how an error text names a channel: by its name, or only by the reference that the caller sent if they may not
 * see the channel.
 */
function shownTo(realm: RealmState, me: AccountRow, channel: ChannelRow, sent: number | string) {
  if (hasMetadataAccess(realm, me, channel)) return `'${channel.name}'`
  return typeof sent === 'number' ? `with ID '${sent}'` : `'${sent}'`
}

function mayPost(realm: RealmState, me: AccountRow, channel: ChannelRow) {
  if (hasChannelPermission(realm, me, channel, 'can_send_message_group')) return true
  const owner = me.bot_owner_id === null ? undefined : realm.users.get(me.bot_owner_id)
  return owner !== undefined && hasChannelPermission(realm, owner, channel, 'can_send_message_group')
}

/**
 * Returns which message ids of a channel a user may read: all of them, or those in certain intervals. A user who has
 * lost access to a private channel can no longer read the messages they received there.
 */
export function readableIntervals(
  realm: RealmState,
  me: AccountRow,
  channel: ChannelRow,
): Interval[] | 'all' {
  if (!hasContentAccess(realm, me, channel)) return []
  if (channel.history_public_to_subscribers) return 'all'
  return realm.subscription(me.id, channel.id)?.received ?? []
}

export function invalidChannelId() {
  return badRequest('Invalid channel ID')
}

function noSuchChannel(ref: number | string) {
  return typeof ref === 'number'
    ? new ApiError(`Channel with ID '${ref}' does not exist`, 'STREAM_DOES_NOT_EXIST', 400, {
        stream_id: ref,
      })
    : new ApiError(`Channel '${ref}' does not exist`, 'STREAM_DOES_NOT_EXIST', 400, { stream: ref })
}
