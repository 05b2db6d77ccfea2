import type { ChannelRow } from '../../db/schema.ts'
import type { ClientEvent } from '../../log/entry.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { subscribersOf } from '../subscriptions/subscribers.ts'
import { peersChanged } from '../subscriptions/subscription.event.ts'
import { hasMetadataAccess } from './access.ts'
import { permitted } from './audience.ts'
import { channelView } from './channel-view.ts'
import { channelCreated } from './stream.event.ts'

/** Those who come to know of a channel by a change of it, and those who no longer may. */
type SightChange = { gained: number[]; lost: number[] }

export function sightChange(realm: RealmState, before: ChannelRow, after: ChannelRow): SightChange {
  const change: SightChange = { gained: [], lost: [] }
  // For administrators and subscribers it stays the same.
  const possible = new Set([...permitted(realm, before), ...permitted(realm, after)])
  for (const user of possible) {
    if (!user.is_active) continue
    const saw = hasMetadataAccess(realm, user, before)
    const sees = hasMetadataAccess(realm, user, after)
    if (sees && !saw) change.gained.push(user.id)
    if (saw && !sees) change.lost.push(user.id)
  }
  return change
}

/** What those hear who come to know of a channel: a client knows nobody in it yet, and counts as it hears of them. */
export function firstSight(realm: RealmState, channel: ChannelRow): ClientEvent[] {
  const subscribers = [...subscribersOf(realm, channel.id)]
  const created = channelCreated({ ...channelView(realm, channel), subscriber_count: 0 })
  return subscribers.length === 0 ? [created] : [created, peersChanged('peer_add', [channel], subscribers)]
}
