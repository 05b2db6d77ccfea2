import type { ChannelRow, SubscriptionRow } from '../../../../db/schema.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { channelAdministrators, guestSubscribers, otherInsiders } from '../channels/audience.ts'
import { peersChanged } from './subscription.event.ts'

/** The users who have just been subscribed to a channel, or unsubscribed from it. */
export type ChangedSubscribers = { channel: ChannelRow; userIds: number[] }

export function changedSubscribers(channels: ChannelRow[], rows: SubscriptionRow[]): ChangedSubscribers[] {
  const byChannel = groupBy(rows, (row) => row.channel_id)
  return channels.flatMap((channel) => {
    const userIds = byChannel.get(channel.id)?.map((row) => row.user_id)
    return userIds ? { channel, userIds } : []
  })
}

/** Groups the same changes by users whose channels are identical. */
export function usersAlike(changed: ChangedSubscribers[]): { channels: ChannelRow[]; userIds: number[] }[] {
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
 * Notifies the users who may see a channel's subscribers. The changed users themselves are left out, since they receive
 * more detailed events. Emits one event for all channels if there is a single user, otherwise one for each channel.
 */
export function emitPeers(change: Change, op: 'peer_add' | 'peer_remove', changed: ChangedSubscribers[]) {
  const groups = groupBy(changed, ({ channel, userIds }) =>
    userIds.length === 1 ? `user ${userIds[0]}` : `channel ${channel.id}`,
  )
  for (const group of groups.values()) {
    const { userIds } = firstIn(group)
    const channels = group.map(({ channel }) => channel)
    emitToEverybody(change, op, channels.filter(isWebPublic), userIds)
    emitToMembers(change, op, channels.filter(isPublic), userIds)
    emitToInsiders(
      change,
      op,
      channels.filter((channel) => channel.is_private),
      userIds,
    )
  }
}

/** Administrators see all private channels, so they get one event. The others see those that concern them. */
function emitToInsiders(
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

function isPublic(channel: ChannelRow) {
  return !channel.is_private && !channel.is_web_public
}

/** All users, including guests, may see web-public channels. */
function emitToEverybody(
  change: Change,
  op: 'peer_add' | 'peer_remove',
  channels: ChannelRow[],
  userIds: number[],
) {
  if (channels.length === 0) return
  change.emit(peersChanged(op, channels, userIds), { everyone: true, except: userIds })
}

/** All users except guests may see public channels. Guests see those to which they are subscribed. */
function emitToMembers(
  change: Change,
  op: 'peer_add' | 'peer_remove',
  channels: ChannelRow[],
  userIds: number[],
) {
  if (channels.length === 0) return
  const ofGuest = [...guestSubscribers(change.state, channels)].map(([guest, known]) => ({ guest, known }))
  const all = idsOf(channels).join()
  const groups = groupBy(ofGuest, ({ known }) => idsOf(known).join())
  const knowAll = groups.get(all)?.map(({ guest }) => guest) ?? []
  groups.delete(all)
  change.emit(peersChanged(op, channels, userIds), { nonGuests: true, users: knowAll, except: userIds })
  for (const group of groups.values()) {
    const users = group.map(({ guest }) => guest)
    change.emit(peersChanged(op, firstIn(group).known, userIds), { users, except: userIds })
  }
}

function idsOf(channels: ChannelRow[]) {
  return channels.map((channel) => channel.id)
}
