import type { AccountRow, ChannelRow, SubscriptionRow } from '../../../db/schema.ts'
import { lastIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { activeSubscription, keepsMetadataAccess } from '../../kernel/channels/access.ts'
import { messagesRead } from '../../kernel/flags/update_message_flags.event.ts'
import { channelsDeleted } from '../kernel/channels/stream.event.ts'
import { channelRevealed } from '../kernel/channels/visibility.ts'
import {
  byChannels,
  type ChangedSubscribers,
  changedSubscribers,
  emitPeers,
} from '../kernel/subscriptions/peers.ts'
import { othersLeft, unsubscribed } from '../kernel/subscriptions/subscription.event.ts'
import { subscriptionLimits } from './limits.ts'
import { type LeftUnread, unreadLeftBehind } from './unread-left-behind.ts'

/**
 * Unsubscribes each of the users from each of the channels, and notifies them and the users who may see it. The users
 * keep the messages that they received, which count as read. The caller checks permissions. Returns the subscriptions
 * that existed.
 */
export async function unsubscribeUsers(
  change: Change,
  { channels, users }: { channels: ChannelRow[]; users: AccountRow[] },
): Promise<SubscriptionRow[]> {
  const rows: SubscriptionRow[] = []
  for (const user of users) {
    for (const channel of channels) {
      const subscription = activeSubscription(change.state, user.id, channel.id)
      if (subscription) rows.push(subscription)
    }
  }
  if (rows.length === 0) return rows
  const unread = await unreadLeftBehind(change, channels, rows)
  await change.updateAll(
    'subscription',
    rows.map((row) => endedSubscription(row, change.lastMessageId + 1)),
  )
  emitUnsubscribed(change, channels, rows, unread)
  return rows
}

/** Ends the last interval. An interval without messages is dropped if there are others. */
function endedSubscription(
  { user_id, channel_id, received }: SubscriptionRow,
  to: number,
): Partial<SubscriptionRow> {
  const earlier = received.slice(0, -1)
  const [from] = lastIn(received)
  const isIdle = from === to && earlier.length > 0
  return { user_id, channel_id, received: isIdle ? earlier : [...earlier, [from, to]] }
}

function emitUnsubscribed(
  change: Change,
  channels: ChannelRow[],
  rows: SubscriptionRow[],
  unread: LeftUnread[],
) {
  const changed = changedSubscribers(channels, rows)
  for (const { channels: together, userIds } of byChannels(changed)) {
    change.emit(unsubscribed(together), { users: userIds })
  }
  for (const { channels: together, userIds } of byChannels(withoutMetadataAccess(change, changed))) {
    change.emit(channelsDeleted(together.map((channel) => channel.id)), { users: userIds })
  }
  for (const { userIds, messages } of unread) change.emit(messagesRead(messages), { users: userIds })
  emitPeers(change, 'peer_remove', changed)
  for (const one of changed) if (one.userIds.length > 1) emitToEachOther(change, one)
}

/** Returns the unsubscribed users who may no longer see the channel at all. */
function withoutMetadataAccess({ state }: Change, changed: ChangedSubscribers[]): ChangedSubscribers[] {
  const lost = changed.map(({ channel, userIds }) => ({
    channel,
    userIds: userIds.filter((id) => !keepsMetadataAccess(state, state.users.require(id), channel)),
  }))
  return lost.filter(({ userIds }) => userIds.length > 0)
}

/** Notifies users who have left together, and may still see the channel, of each other. */
function emitToEachOther(change: Change, { channel, userIds }: ChangedSubscribers) {
  const { state } = change
  const users = userIds.filter((id) => keepsMetadataAccess(state, state.users.require(id), channel))
  if (users.length === 0) return
  if (userIds.length <= subscriptionLimits.leaversToldApart) {
    change.emit(othersLeft(channel, userIds), { users })
    return
  }
  // Lists that differ by one user each would take long to build for this number of users. Instead, they all receive the
  // channel again.
  change.emit(channelsDeleted([channel.id]), { users })
  const events = channelRevealed(change.next, channel)
  for (const event of events) change.emit(event, { users })
}
