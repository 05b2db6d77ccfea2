import type { AccountRow } from '../../db/schema.ts'
import type { Change } from '../../log/change.ts'
import { hasMetadataAccess } from '../channels/access.ts'
import { firstSight } from '../channels/sight.ts'
import { channelsDeleted } from '../channels/stream.event.ts'

/** Tells a user of the channels that a change of role shows them, or hides from them. */
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
}
