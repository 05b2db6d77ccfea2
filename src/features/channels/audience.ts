import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import type { GroupSetting } from '../../db/values.ts'
import { isAdministrator, roles } from '../../http/access.ts'
import type { Audience } from '../../log/entry.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { groupsInside } from '../groups/inside.ts'
import { activeSubscription, grantingPermissions, hasMetadataAccess } from './access.ts'

/** Everybody who may know of a channel, as `hasMetadataAccess` has it, and whoever `also` names. */
export function channelAudience(
  realm: RealmState,
  channel: ChannelRow,
  also: Iterable<number> = [],
): Audience {
  if (channel.is_web_public) return { everyone: true }
  if (!channel.is_private)
    return { nonGuests: true, users: unique([...guestSubscribers(realm, channel), ...also]) }
  return { users: unique([...insiders(realm, channel), ...also]) }
}

/** The guests who are subscribed to a channel: the only ones who know of a public one. */
export function guestSubscribers(realm: RealmState, channel: ChannelRow): number[] {
  const ids: number[] = []
  for (const { user_id } of realm.subscriptionsOfChannel(channel.id)) {
    if (realm.users.get(user_id)?.role !== roles.guest) continue
    if (activeSubscription(realm, user_id, channel.id)) ids.push(user_id)
  }
  return ids
}

/** Those who may know of a private channel. */
function insiders(realm: RealmState, channel: ChannelRow): number[] {
  const ids: number[] = []
  for (const user of possibleInsiders(realm, channel)) {
    if (user.is_active && hasMetadataAccess(realm, user, channel)) ids.push(user.id)
  }
  return ids
}

/**
 * Users, each once, among whom are all who may know of a channel. Most channels are open to few, and asking everybody about
 * each of many channels would take long in a large organization.
 */
export function possibleInsiders(realm: RealmState, channel: ChannelRow): Iterable<AccountRow> {
  if (!channel.is_private) return realm.users.values()
  const ids = new Set(administrators(realm))
  for (const { user_id } of realm.subscriptionsOfChannel(channel.id)) ids.add(user_id)
  for (const name of grantingPermissions) {
    const named = peopleNamed(realm, channel.permissions[name])
    if (!named) return realm.users.values()
    for (const id of named) ids.add(id)
  }
  return [...ids].sort((a, b) => a - b).flatMap((id) => realm.users.get(id) ?? [])
}

function* peopleIn(realm: RealmState, groupIds: Iterable<number>): Iterable<number> {
  for (const groupId of groupIds) for (const { user_id } of realm.membersOfGroup(groupId)) yield user_id
}

/** Whom a value names, directly and by groups; undefined if that goes by roles. */
function peopleNamed(realm: RealmState, value: GroupSetting | undefined): number[] | undefined {
  if (value === undefined) return []
  const [people, groups] =
    typeof value === 'number' ? [[], [value]] : [value.direct_members, value.direct_subgroups]
  const inside = groups.map((id) => groupsInside(realm, id))
  if (inside.some(({ system }) => system.some(({ name }) => name !== 'role:nobody'))) return undefined
  return [...people, ...inside.flatMap(({ named }) => [...peopleIn(realm, named)])]
}

const knownAdministrators = new WeakMap<RealmState, { version: number; ids: number[] }>()

/** Remembered until a user changes. */
function administrators(realm: RealmState): number[] {
  const { version } = realm.users
  const known = knownAdministrators.get(realm)
  if (known?.version === version) return known.ids
  const ids = [...realm.users.values()].filter(isAdministrator).map((user) => user.id)
  knownAdministrators.set(realm, { version, ids })
  return ids
}

function unique(ids: number[]) {
  return [...new Set(ids)]
}
