import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import type { GroupSetting } from '../../db/values.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { grantingPermissions, hasMetadataAccess } from '../channels/access.ts'
import { firstSight } from '../channels/sight.ts'
import { channelsDeleted } from '../channels/stream.event.ts'
import { usersAlike } from '../subscriptions/peers.ts'
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
  tellWhoGains(change, without(after, before))
  tellWhoLoses(change, without(before, after))
}

function channelsGranting(realm: RealmState, groups: Set<number>): ChannelRow[] {
  const names = (value: GroupSetting | undefined) =>
    typeof value === 'number' ? groups.has(value) : value?.direct_subgroups.some((id) => groups.has(id))
  return [...realm.channels.values()].filter(
    (channel) => channel.is_private && grantingPermissions.some((name) => names(channel.permissions[name])),
  )
}

/** Who may know of a channel. */
type Sight = { channel: ChannelRow; userIds: number[] }

/** Of each channel, those of these users who may know of it. */
function sights(realm: RealmState, users: AccountRow[], channels: ChannelRow[]): Sight[] {
  return channels.map((channel) => {
    const knowing = users.filter((user) => hasMetadataAccess(realm, user, channel))
    return { channel, userIds: knowing.map((user) => user.id) }
  })
}

/** Those who may know of a channel by the one account, but not by the other. */
function without(sights: Sight[], others: Sight[]): Sight[] {
  const rest = sights.map(({ channel, userIds }, i) => {
    const known = new Set(others[i]!.userIds)
    return { channel, userIds: userIds.filter((id) => !known.has(id)) }
  })
  return rest.filter(({ userIds }) => userIds.length > 0)
}

// There may be very many of them, so each channel is told of once, not once for each.
function tellWhoGains(change: Change, gained: Sight[]) {
  for (const { channel, userIds } of gained) {
    for (const event of firstSight(change.state, channel)) change.emit(event, { users: userIds })
  }
}

function tellWhoLoses(change: Change, lost: Sight[]) {
  for (const { channels, userIds } of usersAlike(lost)) {
    change.emit(channelsDeleted(channels.map((channel) => channel.id)), { users: userIds })
  }
}
