import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import type { Change } from '../../log/change.ts'
import { hasMetadataAccess } from '../channels/access.ts'
import { channelView } from '../channels/channel-view.ts'
import { channelCreated, channelsDeleted } from '../channels/stream.event.ts'
import { subscribersOf } from '../subscriptions/subscribers.ts'
import { peersChanged } from '../subscriptions/subscription.event.ts'

/** Tells a user of the channels that a change of role shows them, or hides from them. */
export function tellOfSight(change: Change, before: AccountRow, after: AccountRow) {
  const audience = { users: [after.id] }
  const lost: number[] = []
  for (const channel of change.state.channels.values()) {
    if (channel.is_archived) continue
    const saw = hasMetadataAccess(change.state, before, channel)
    const sees = hasMetadataAccess(change.state, after, channel)
    if (saw && !sees) lost.push(channel.id)
    if (sees && !saw) show(change, channel, audience)
  }
  if (lost.length > 0) change.emit(channelsDeleted(lost), audience)
}

// A client that hears of a channel knows nobody in it yet. It counts the subscribers as it hears of them.
function show(change: Change, channel: ChannelRow, audience: { users: number[] }) {
  const subscribers = [...subscribersOf(change.state, channel.id)]
  change.emit(channelCreated({ ...channelView(change.state, channel), subscriber_count: 0 }), audience)
  if (subscribers.length > 0) change.emit(peersChanged('peer_add', [channel.id], subscribers), audience)
}
