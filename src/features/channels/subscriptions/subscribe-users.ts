import type { AccountRow, ChannelRow, SubscriptionRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasMetadataAccess, isActive } from '../../kernel/channels/access.ts'
import { channelView, personalView } from '../kernel/channels/channel-view.ts'
import { channelCreated } from '../kernel/channels/stream.event.ts'
import {
  byChannels,
  type ChangedSubscribers,
  changedSubscribers,
  emitPeers,
} from '../kernel/subscriptions/peers.ts'
import { subscribersOf } from '../kernel/subscriptions/subscribers.ts'
import { subscribed } from '../kernel/subscriptions/subscription.event.ts'
import { pickColor, usedColors } from './colors.ts'

type Subscribing = {
  channels: ChannelRow[]
  users: AccountRow[]
  /** The colors that users have chosen, by channel id. */
  colors?: ReadonlyMap<number, string>
}

/** The result, by user id. */
export type Subscribed = { subscribed: Map<number, ChannelRow[]>; already: Map<number, ChannelRow[]> }

/**
 * Subscribes each of the users to each of the channels. Emits to them, and to the users who may see the channel. A user who
 * subscribes again gets the previous subscription's settings back. The caller checks permissions. If this same change
 * creates the channels, `createChannels` must have been called before, with the new subscribers.
 */
export async function subscribeUsers(
  change: Change,
  { channels, users, colors }: Subscribing,
): Promise<Subscribed> {
  const result: Subscribed = { subscribed: new Map(), already: new Map() }
  const rows: SubscriptionRow[] = []
  for (const user of users) {
    const used = usedColors(change.state, user.id)
    for (const channel of channels) {
      const before = change.state.subscription(user.id, channel.id)
      if (before && isActive(before)) {
        append(result.already, user.id, channel)
        continue
      }
      append(result.subscribed, user.id, channel)
      rows.push(
        before
          ? { ...before, received: [...before.received, [change.lastMessageId + 1, null]] }
          : newSubscription(change, user, channel, colors?.get(channel.id) ?? pickColor(used)),
      )
    }
  }
  await write(change, rows)
  emitSubscribed(change, channels, rows)
  return result
}

function newSubscription(
  change: Change,
  user: AccountRow,
  channel: ChannelRow,
  color: string,
): SubscriptionRow {
  return {
    realm_id: change.state.id,
    user_id: user.id,
    channel_id: channel.id,
    received: [[change.lastMessageId + 1, null]],
    color,
    is_muted: false,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  }
}

async function write(change: Change, rows: SubscriptionRow[]) {
  const isAgain = (row: SubscriptionRow) => row.received.length > 1
  await change.insertAll(
    'subscription',
    rows.filter((row) => !isAgain(row)),
  )
  await change.updateAll(
    'subscription',
    rows.filter(isAgain).map(({ user_id, channel_id, received }) => ({ user_id, channel_id, received })),
  )
}

function emitSubscribed(change: Change, channels: ChannelRow[], rows: SubscriptionRow[]) {
  const changed = changedSubscribers(channels, rows)
  emitNewChannels(change, changed)
  const own = groupBy(rows, (row) => row.user_id)
  for (const { channels: together, userIds } of byChannels(changed)) {
    const views = together.map((channel) => viewWith(change.state, changed, channel))
    const personal = userIds.map((id) => {
      const mine = new Map((own.get(id) ?? []).map((row) => [row.channel_id, row]))
      return [
        id,
        together.map((channel) => personalView(must(mine.get(channel.id), 'subscription'))),
      ] as const
    })
    change.emit(subscribed(views, personal), { users: userIds })
  }
  emitPeers(change, 'peer_add', changed)
}

/** Guests see a public channel, and most users a private one, only once they are subscribed. */
function emitNewChannels(change: Change, changed: ChangedSubscribers[]) {
  const { state } = change
  for (const { channel, userIds } of changed) {
    // Channels that this same change creates have been announced already. A user that it creates has no clients yet.
    if (!state.channels.get(channel.id)) continue
    const users = userIds.filter((id) => {
      const user = state.users.get(id)
      return user && !hasMetadataAccess(state, user, channel)
    })
    if (users.length > 0) change.emit(channelCreated(channelView(state, channel)), { users })
  }
}

function viewWith(state: RealmState, changed: ChangedSubscribers[], channel: ChannelRow) {
  const added = must(
    changed.find((one) => one.channel.id === channel.id),
    'such channel',
  ).userIds
  const known = subscribersOf(state, channel.id)
  const missing = new Set(added)
  for (const id of known) missing.delete(id)
  const subscribers = missing.size === 0 ? known : [...known, ...missing].sort((a, b) => a - b)
  return { ...channelView(state, channel), subscriber_count: subscribers.length, subscribers }
}

function append(lists: Map<number, ChannelRow[]>, userId: number, channel: ChannelRow) {
  const list = lists.get(userId)
  if (list) list.push(channel)
  else lists.set(userId, [channel])
}
