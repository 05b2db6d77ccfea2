import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import { mapInSlices } from '../../../../lib/async/time-slice.ts'
import type { RowChanges } from '../../../../log/consequences.ts'
import type { ClientEvent } from '../../../../log/entry.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { grantingPermissions, hasMetadataAccess } from '../../../kernel/channels/access.ts'
import { systemGroupId } from '../../../kernel/groups/access.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { allMembers, groupsAround } from '../../../people/groups/group-graph.ts'
import { fullMembersChange } from '../../../people/groups/system-groups.ts'
import type { ChangedSubscribers } from '../subscriptions/peers.ts'
import { subscribedUsers, subscribersOf } from '../subscriptions/subscribers.ts'
import { peersChanged } from '../subscriptions/subscription.event.ts'
import { possibleViewers } from './audience.ts'
import { channelView } from './channel-view.ts'
import { channelCreated } from './stream.event.ts'

/** The ids of users who gain visibility of a channel, and of those who lose it. */
type VisibilityChange = { gained: number[]; lost: number[] }

/** Returns the users who gain or lose visibility through a change of the channel itself. */
export function visibilityChange(realm: RealmState, before: ChannelRow, after: ChannelRow): VisibilityChange {
  // For subscribers it stays the same, and they may be nearly all users.
  const subscribers = new Set(subscribedUsers(realm, after.id))
  const possible = new Set<AccountRow>()
  for (const channel of [before, after]) {
    for (const user of possibleViewers(realm, channel)) {
      if (user.is_active && !subscribers.has(user.id)) possible.add(user)
    }
  }
  return compare(
    possible,
    (user) => hasMetadataAccess(realm, user, before),
    (user) => hasMetadataAccess(realm, user, after),
  )
}

type ChangeOfChannel = VisibilityChange & { channel: ChannelRow }

const prepared = new WeakMap<RowChanges, ChangeOfChannel[]>()

/** Makes what `visibilityChanges` returns, in slices: many users may join a group that many channels name. */
export async function prepareVisibilityChanges(rowChanges: RowChanges) {
  prepared.set(rowChanges, await mapInSlices(usersByChannel(rowChanges), (one) => changeOf(rowChanges, one)))
}

/**
 * Returns the users who gain or lose visibility of channels, by channel, through changes of roles, of group memberships and of the
 * waiting period of new members.
 */
export function visibilityChanges(rowChanges: RowChanges) {
  const changes =
    prepared.get(rowChanges) ?? [...usersByChannel(rowChanges)].map((one) => changeOf(rowChanges, one))
  const lost = changes.filter((one) => one.lost.length > 0)
  return {
    gained: changes
      .filter((one) => one.gained.length > 0)
      .map(({ channel, gained }) => ({ channel, userIds: gained })),
    lost: lost.map(({ channel, lost }): ChangedSubscribers => ({ channel, userIds: lost })),
  }
}

function changeOf(
  { change, before, after }: RowChanges,
  [channel, ids]: [ChannelRow, ReadonlySet<number>],
): ChangeOfChannel {
  // A user whom this same change creates has no client yet.
  const existing = [...ids].flatMap((id) => (change.state.users.get(id) && before.users.get(id)) ?? [])
  const changed = compare(
    existing.filter((user) => user.is_active),
    (user) => hasMetadataAccess(before, user, channel),
    (user) => hasMetadataAccess(after, after.users.require(user.id), channel),
  )
  return { channel, ...changed }
}

/** Returns the users for whom the visibility of channels may have changed. Channels have the same sets if they can. */
function usersByChannel({ before, after, rows }: RowChanges): Map<ChannelRow, ReadonlySet<number>> {
  const users = new Map<ChannelRow, ReadonlySet<number>>()
  const look = (channels: Iterable<ChannelRow>, userIds: ReadonlySet<number>) => {
    for (const channel of channels) {
      const known = users.get(channel)
      if (known !== userIds) users.set(channel, known ? new Set([...known, ...userIds]) : userIds)
    }
  }
  for (const row of rows('account')) {
    if (row.before && row.after && row.before.role !== row.after.role)
      look(after.channels.values(), new Set([row.after.id]))
  }
  for (const [groupId, userIds] of usersByGroup({ before, after, rows })) {
    look(channelsGranting(before, groupsAround(before, groupId)), userIds)
    look(channelsGranting(after, groupsAround(after, groupId)), userIds)
  }
  const waiting = waitingMembers(before, after)
  if (waiting.length > 0) {
    look(
      channelsGranting(after, groupsAround(after, systemGroupId(after, 'role:fullmembers'))),
      new Set(waiting),
    )
  }
  return users
}

/** Returns the ids of the users who become full members, or are no longer full members, with the waiting period. */
function waitingMembers(before: RealmState, after: RealmState): number[] {
  const days = (realm: RealmState) => realmSettings(realm).waiting_period_threshold
  if (days(before) === days(after)) return []
  const { joining, leaving } = fullMembersChange(after, days(before), days(after))
  return [...joining, ...leaving]
}

function compare(
  users: Iterable<AccountRow>,
  saw: (user: AccountRow) => boolean,
  sees: (user: AccountRow) => boolean,
): VisibilityChange {
  const change: VisibilityChange = { gained: [], lost: [] }
  for (const user of users) {
    const [before, after] = [saw(user), sees(user)]
    if (after && !before) change.gained.push(user.id)
    if (before && !after) change.lost.push(user.id)
  }
  return change
}

/** Returns the channels that users begin to see as their waiting period ends. `earlier`: a time at which they still waited. */
export function shownByWaiting(realm: RealmState, userIds: number[], earlier: number): ChangedSubscribers[] {
  const before = realm.draft(() => earlier)
  const users = userIds.map((id) => realm.users.require(id))
  const channels = channelsGranting(realm, groupsAround(realm, systemGroupId(realm, 'role:fullmembers')))
  const shown = channels.map((channel) => {
    const sees = (state: RealmState) => (user: AccountRow) => hasMetadataAccess(state, user, channel)
    return { channel, userIds: compare(users, sees(before), sees(realm)).gained }
  })
  return shown.filter(({ userIds }) => userIds.length > 0)
}

/** Returns, by group, the users who join or leave it, directly or through a subgroup. */
function usersByGroup({ before, after, rows }: Pick<RowChanges, 'before' | 'after' | 'rows'>) {
  const users = new Map<number, Set<number>>()
  const add = (groupId: number, ids: number[]) => {
    const known = users.get(groupId) ?? new Set()
    users.set(groupId, known)
    for (const id of ids) known.add(id)
  }
  for (const row of rows('group_member')) {
    const { group_id, user_id } = row.after ?? row.before
    add(group_id, [user_id])
  }
  for (const row of rows('group_subgroup')) {
    const { group_id, subgroup_id } = row.after ?? row.before
    for (const state of [before, after]) {
      const subgroup = state.groups.get(subgroup_id)
      if (subgroup) add(group_id, allMembers(state, subgroup))
    }
  }
  return users
}

function channelsGranting(realm: RealmState, groups: Set<number>): ChannelRow[] {
  const names = (value: GroupSetting | undefined) =>
    typeof value === 'number' ? groups.has(value) : value?.direct_subgroups.some((id) => groups.has(id))
  return [...realm.channels.values()].filter(
    (channel) => channel.is_private && grantingPermissions.some((name) => names(channel.permissions[name])),
  )
}

/**
 * Returns the events that show a channel to clients that could not see it before. The clients count its subscribers as
 * they receive them.
 */
export function channelRevealed(realm: RealmState, channel: ChannelRow): ClientEvent[] {
  const subscribers = [...subscribersOf(realm, channel.id)]
  const created = channelCreated({ ...channelView(realm, channel), subscriber_count: 0 })
  return subscribers.length === 0 ? [created] : [created, peersChanged('peer_add', [channel], subscribers)]
}
