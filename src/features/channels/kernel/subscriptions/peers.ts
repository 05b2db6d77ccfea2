import type { ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { channelAdministrators, otherInsiders, publicAudience } from '../channels/audience.ts'
import { peersChanged } from './subscription.event.ts'

/** The users of whom others hear that they are subscribers of a channel now, or no longer. */
export type ChangedSubscribers = { channel: ChannelRow; userIds: number[] }

export function changedSubscribers(channels: ChannelRow[], rows: SubscriptionRow[]): ChangedSubscribers[] {
  const byChannel = groupBy(rows, (row) => row.channel_id)
  return channels.flatMap((channel) => {
    const userIds = byChannel.get(channel.id)?.map((row) => row.user_id)
    return userIds ? { channel, userIds } : []
  })
}

/** Groups the users by their channels: users with the same channels are in one group. */
export function byChannels(changed: ChangedSubscribers[]): { channels: ChannelRow[]; userIds: number[] }[] {
  const pairs = changed.flatMap(({ channel, userIds }) => userIds.map((id) => ({ id, channel })))
  const ofUser = [...groupBy(pairs, (pair) => pair.id)].map(([id, own]) => ({
    id,
    channels: own.map((pair) => pair.channel),
  }))
  const alike = groupBy(ofUser, ({ channels }) => idsOf(channels).join())
  return [...alike.values()].map((group) => ({
    channels: firstIn(group).channels,
    userIds: group.map(({ id }) => id),
  }))
}

/**
 * Emits to all users with access to a channel's metadata, as `hasMetadataAccess` decides for one of them. The three kinds of
 * channels differ in how their audience is described, so that one event serves many channels; random-changes.test.ts
 * compares it with the rule. The changed users themselves are left out: they get an event of their own, or have no client. So
 * it does not matter that the audience is that before the change. A single user gives one event for all channels, several
 * users give one for each channel.
 */
export function emitPeers(change: Change, op: 'peer_add' | 'peer_remove', changed: ChangedSubscribers[]) {
  const groups = groupBy(changed, ({ channel, userIds }) =>
    userIds.length === 1 ? `user ${userIds[0]}` : `channel ${channel.id}`,
  )
  for (const group of groups.values()) {
    const { userIds } = firstIn(group)
    const channels = group.map(({ channel }) => channel)
    emitOfWebPublic(change, op, channels.filter(isWebPublic), userIds)
    emitOfPublic(change, op, channels.filter(isPublicForMembers), userIds)
    emitOfPrivate(
      change,
      op,
      channels.filter((channel) => channel.is_private),
      userIds,
    )
  }
}

/** Administrators see all private channels, so they get one event. Other users get one for each channel they see. */
function emitOfPrivate(
  change: Change,
  op: 'peer_add' | 'peer_remove',
  channels: ChannelRow[],
  userIds: number[],
) {
  if (channels.length === 0) return
  const { state } = change
  const except = new Set(userIds)
  const emit = (known: ChannelRow[], ids: number[]) => {
    const users = ids.filter((id) => !except.has(id))
    if (users.length > 0) change.emit(peersChanged(op, known, userIds), { users })
  }
  emit(channels, channelAdministrators(state))
  for (const channel of channels) emit([channel], otherInsiders(state, channel))
}

function isWebPublic(channel: ChannelRow) {
  return channel.is_web_public
}

function isPublicForMembers(channel: ChannelRow) {
  return !channel.is_private && !channel.is_web_public
}

/** All users, including guests, may see web-public channels. */
function emitOfWebPublic(
  change: Change,
  op: 'peer_add' | 'peer_remove',
  channels: ChannelRow[],
  userIds: number[],
) {
  if (channels.length === 0) return
  change.emit(peersChanged(op, channels, userIds), { everyone: true, except: userIds })
}

/** All users except guests may see public channels. Guests get those of them that they may see: see subscription.event.ts. */
function emitOfPublic(
  change: Change,
  op: 'peer_add' | 'peer_remove',
  channels: ChannelRow[],
  userIds: number[],
) {
  if (channels.length === 0) return
  const audience = publicAudience(channels, change.lastMessageId + 1)
  change.emit(peersChanged(op, channels, userIds), { ...audience, except: userIds })
}

function idsOf(channels: ChannelRow[]) {
  return channels.map((channel) => channel.id)
}
