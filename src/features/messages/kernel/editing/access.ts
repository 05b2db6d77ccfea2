import { roles } from '../../../../db/roles.ts'
import type { AccountRow, ChannelRow, MessageRow } from '../../../../db/schema.ts'
import { badRequest, noSuchMessage } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import {
  hasChannelPermission,
  hasContentAccess,
  isChannelAdministrator,
} from '../../../kernel/channels/access.ts'
import { hasRealmPermission } from '../../../kernel/groups/access.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { editAccessLimits } from './limits.ts'

/**
 * Returns the channel of a message, or undefined for a direct message. Throws for messages in archived channels, which
 * cannot change.
 */
export function channelToChange(
  realm: RealmState,
  message: Pick<MessageRow, 'recipient_id'>,
): ChannelRow | undefined {
  const channelId = realm.recipients.get(message.recipient_id)?.channel_id
  const channel = channelId ? realm.channels.get(channelId) : undefined
  if (channel?.is_archived) throw noSuchMessage()
  return channel
}

/**
 * Throws unless the user may change the text of a message: it must be their own, and the time limit must not be over.
 */
export function checkMayEdit(realm: RealmState, me: AccountRow, message: MessageRow, now: number) {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = realmSettings(realm)
  if (!allow_message_editing) throw badRequest('Your organization has turned off message editing')
  if (message.sender_id !== me.id) throw badRequest("You don't have permission to edit this message")
  if (isPast(message, limit, now)) throw badRequest('The time limit for editing this message has passed')
}

/**
 * Throws unless the user may give the message another topic. The organization grants this, or the old or new channel
 * does.
 */
export function checkMayRename(
  realm: RealmState,
  me: AccountRow,
  message: MessageRow,
  channels: ChannelRow[],
  now: number,
) {
  const may =
    hasRealmPermission(realm, me, 'can_move_messages_between_topics_group') ||
    channels.some(
      (channel) =>
        hasChannelPermission(realm, me, channel, 'can_move_messages_within_channel_group') ||
        isChannelAdministrator(realm, me, channel),
    )
  if (!may) throw badRequest("You don't have permission to edit this message")
  if (isPast(message, renameLimit(realm, me), now)) {
    throw badRequest("The time limit for editing this message's topic has passed.")
  }
}

/** Throws unless the user may mark topics as resolved and unresolved. There is no time limit for this. */
export function checkMayResolve(realm: RealmState, me: AccountRow, channels: ChannelRow[]) {
  const may =
    hasRealmPermission(realm, me, 'can_resolve_topics_group') ||
    channels.some((channel) => hasChannelPermission(realm, me, channel, 'can_resolve_topics_group'))
  if (!may) throw badRequest("You don't have permission to resolve topics.")
}

/** Throws unless the user may move the message out of its channel. */
export function checkMayMoveOut(
  realm: RealmState,
  me: AccountRow,
  message: MessageRow,
  channel: ChannelRow,
  now: number,
) {
  const may =
    hasRealmPermission(realm, me, 'can_move_messages_between_channels_group') ||
    hasChannelPermission(realm, me, channel, 'can_move_messages_out_of_channel_group') ||
    isChannelAdministrator(realm, me, channel)
  if (!may) throw badRequest("You don't have permission to move this message")
  if (isPast(message, moveOutLimit(realm, me), now)) {
    throw badRequest("The time limit for editing this message's channel has passed")
  }
}

/** Returns how old messages may be for a user to change their topic, in seconds, or null for any age. */
export function renameLimit(realm: RealmState, me: AccountRow) {
  return me.role <= roles.moderator ? null : realmSettings(realm).move_messages_within_stream_limit_seconds
}

/** Returns how old messages may be for a user to move them to another channel, in seconds, or null for any age. */
export function moveOutLimit(realm: RealmState, me: AccountRow) {
  return me.role <= roles.moderator ? null : realmSettings(realm).move_messages_between_streams_limit_seconds
}

/** Throws unless the user may delete the message. */
export function checkMayDelete(realm: RealmState, me: AccountRow, message: MessageRow, now: number) {
  const channel = channelToChange(realm, message)
  const inChannel = (permission: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    channel !== undefined && hasChannelPermission(realm, me, channel, permission)
  if (hasRealmPermission(realm, me, 'can_delete_any_message_group')) return
  if (channel && inChannel('can_delete_any_message_group') && hasContentAccess(realm, me, channel)) return
  const isOwn = message.sender_id === me.id || realm.users.get(message.sender_id)?.bot_owner_id === me.id
  const mayOwn =
    hasRealmPermission(realm, me, 'can_delete_own_message_group') || inChannel('can_delete_own_message_group')
  if (!isOwn || !mayOwn) throw badRequest("You don't have permission to delete this message")
  const limit = realmSettings(realm).message_content_delete_limit_seconds
  if (limit !== null && now - message.sent_at > limit) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}

/** Returns whether the time limit is over. A user who began to edit in time may still finish. */
function isPast(message: { sent_at: number }, limit: number | null, now: number) {
  return limit !== null && now - message.sent_at > limit + editAccessLimits.editGraceSeconds
}
