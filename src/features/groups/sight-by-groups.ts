import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import type { GroupSetting } from '../../db/values.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { grantingPermissions, hasMetadataAccess } from '../channels/access.ts'
import { firstSight } from '../channels/sight.ts'
import { channelsDeleted } from '../channels/stream.event.ts'
import { groupsAround } from './graph.ts'

/**
 * Makes a change to who is in a group, and tells those whom it concerns of the private channels that it shows them, or
 * hides from them.
 */
export async function withSightByGroup(
  change: Change,
  groupId: number,
  userIds: number[],
  work: () => Promise<void>,
) {
  const { state } = change
  const channels = channelsGranting(state, groupsAround(state, groupId))
  const users = userIds.map((id) => state.users.get(id)!).filter((user) => user.is_active)
  if (channels.length === 0 || users.length === 0) return work()
  const before = sights(state, users, channels)
  await work()
  const after = change.ahead((state) => sights(state, users, channels))
  for (const [i, user] of users.entries()) tellDifference(change, user, before[i]!, after[i]!)
}

function channelsGranting(realm: RealmState, groups: Set<number>): ChannelRow[] {
  const names = (value: GroupSetting | undefined) =>
    typeof value === 'number' ? groups.has(value) : value?.direct_subgroups.some((id) => groups.has(id))
  return [...realm.channels.values()].filter(
    (channel) => channel.is_private && grantingPermissions.some((name) => names(channel.permissions[name])),
  )
}

function sights(realm: RealmState, users: AccountRow[], channels: ChannelRow[]) {
  return users.map((user) => channels.filter((channel) => hasMetadataAccess(realm, user, channel)))
}

function tellDifference(change: Change, user: AccountRow, before: ChannelRow[], after: ChannelRow[]) {
  const audience = { users: [user.id] }
  for (const channel of after.filter((channel) => !before.includes(channel))) {
    for (const event of firstSight(change.state, channel)) change.emit(event, audience)
  }
  const lost = before.filter((channel) => !after.includes(channel)).map((channel) => channel.id)
  if (lost.length > 0) change.emit(channelsDeleted(lost), audience)
}
