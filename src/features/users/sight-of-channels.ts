import type { AccountRow } from '../../db/schema.ts'
import { roles } from '../../http/access.ts'
import type { Change } from '../../log/change.ts'
import { hasMetadataAccess } from '../channels/access.ts'
import { defaultChannelsChanged } from '../channels/default_streams.event.ts'
import { defaultChannelIds } from '../channels/default-channels.ts'
import { firstSight } from '../channels/sight.ts'
import { channelsDeleted } from '../channels/stream.event.ts'
import { defaultGroupsChanged } from '../default-channel-groups/default_stream_groups.event.ts'
import { defaultGroups } from '../default-channel-groups/default-groups.ts'

/** Tells a user of the channels that a change of role shows them, or hides from them, and of what those are for new users. */
export function tellOfSight(change: Change, before: AccountRow, after: AccountRow) {
  const audience = { users: [after.id] }
  const lost: number[] = []
  for (const channel of change.state.channels.values()) {
    const saw = hasMetadataAccess(change.state, before, channel)
    const sees = hasMetadataAccess(change.state, after, channel)
    if (saw && !sees) lost.push(channel.id)
    if (sees && !saw) for (const event of firstSight(change.state, channel)) change.emit(event, audience)
  }
  if (lost.length > 0) change.emit(channelsDeleted(lost), audience)
  tellOfDefaults(change, before, after)
}

/** Of the channels for new users, guests know nothing. */
function tellOfDefaults(change: Change, before: AccountRow, after: AccountRow) {
  const isGuest = after.role === roles.guest
  if (isGuest === (before.role === roles.guest)) return
  const audience = { users: [after.id] }
  const channels = defaultChannelIds(change.state)
  const groups = defaultGroups(change.state)
  if (channels.length > 0) change.emit(defaultChannelsChanged(isGuest ? [] : channels), audience)
  if (groups.length > 0) change.emit(defaultGroupsChanged(isGuest ? [] : groups), audience)
}
