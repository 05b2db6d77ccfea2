import type { AccountRow, ChannelRow, SubscriptionRow } from '../../../db/schema.ts'
import { limits } from '../../../lib/limits.ts'
import type { Change } from '../../../log/change.ts'
import { activeSubscription, keepsMetadataAccess } from '../../kernel/channels/access.ts'
import { messagesRead } from '../../kernel/flags/update_message_flags.event.ts'
import { channelsDeleted } from '../kernel/channels/stream.event.ts'
import { channelRevealed } from '../kernel/channels/visibility.ts'
import {
  type ChangedSubscribers,
  changedSubscribers,
  emitPeers,
  usersAlike,
} from '../kernel/subscriptions/peers.ts'
import { othersLeft, unsubscribed } from '../kernel/subscriptions/subscription.event.ts'
import { type LeftUnread, unreadLeftBehind } from './unread-left.ts'

/**
 * Unsubscribes each of the users from each of the channels, and tells them and those who may know. What they received
 * stays theirs and counts as read. Whether all this is allowed is for the caller to say. Answers the subscriptions that
 * there were.
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
    rows.map((row) => closed(row, change.lastMessageId + 1)),
  )
  tell(change, channels, rows, unread)
  return rows
}

/** The end of the last interval. An interval in which nothing was sent need not be remembered beside others. */
function closed({ user_id, channel_id, received }: SubscriptionRow, to: number): Partial<SubscriptionRow> {
  const earlier = received.slice(0, -1)
  const [from] = received.at(-1)!
  const isIdle = from === to && earlier.length > 0
  return { user_id, channel_id, received: isIdle ? earlier : [...earlier, [from, to]] }
}

function tell(change: Change, channels: ChannelRow[], rows: SubscriptionRow[], unread: LeftUnread[]) {
  const changed = changedSubscribers(channels, rows)
  for (const { channels: together, userIds } of usersAlike(changed)) {
    change.emit(unsubscribed(together), { users: userIds })
  }
  for (const { channels: together, userIds } of usersAlike(losers(change, changed))) {
    change.emit(channelsDeleted(together.map((channel) => channel.id)), { users: userIds })
  }
  for (const { userIds, messages } of unread) change.emit(messagesRead(messages), { users: userIds })
  emitPeers(change, 'peer_remove', changed)
  for (const one of changed) if (one.userIds.length > 1) emitToEachOther(change, one)
}

/** Those who may not even know of a channel any more. */
function losers({ state }: Change, changed: ChangedSubscribers[]): ChangedSubscribers[] {
  const lost = changed.map(({ channel, userIds }) => ({
    channel,
    userIds: userIds.filter((id) => !keepsMetadataAccess(state, state.users.get(id)!, channel)),
  }))
  return lost.filter(({ userIds }) => userIds.length > 0)
}

/** Those who have left together, and still know of the channel, hear who else has. */
function emitToEachOther(change: Change, { channel, userIds }: ChangedSubscribers) {
  const { state } = change
  const users = userIds.filter((id) => keepsMetadataAccess(state, state.users.get(id)!, channel))
  if (users.length === 0) return
  if (userIds.length <= limits.leaversToldApart) {
    change.emit(othersLeft(channel, userIds), { users })
    return
  }
  // So many lists that differ by one would be long to make: they all see the channel anew.
  change.emit(channelsDeleted([channel.id]), { users })
  const events = channelRevealed(change.next, channel)
  for (const event of events) change.emit(event, { users })
}
