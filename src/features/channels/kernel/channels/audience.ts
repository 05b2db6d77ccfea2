import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import { isAdministrator, roles } from '../../../../http/access.ts'
import { derived } from '../../../../log/derived.ts'
import type { Audience } from '../../../../log/entry.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { grantingPermissions, hasMetadataAccess, isActive } from '../../../kernel/channels/access.ts'
import { groupsInside } from '../../../kernel/groups/group-closure.ts'

/** Returns all users who may see a channel, as `hasMetadataAccess` defines it, and the users in `also`. */
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

/** Returns the guests who are subscribed to a channel: the only guests who may see a public one. */
export function guestSubscribers(realm: RealmState, channel: ChannelRow): number[] {
  const { guests } = kindsOfUsers(realm)
  const ids: number[] = []
  for (const row of realm.subscriptionsOfChannel(channel.id)) {
    if (guests.has(row.user_id) && isActive(row)) ids.push(row.user_id)
  }
  return ids
}

/**
 * Returns the users who may see a private channel. The result equals testing `hasMetadataAccess` for each user, which
 * would be slow.
 */
function insiders(realm: RealmState, channel: ChannelRow): Set<number> {
  const { active, administrators } = kindsOfUsers(realm)
  const ids = new Set(administrators)
  for (const row of realm.subscriptionsOfChannel(channel.id)) {
    if (isActive(row) && active.has(row.user_id)) ids.add(row.user_id)
  }
  for (const user of permitted(realm, channel)) {
    if (user.is_active && !ids.has(user.id) && hasMetadataAccess(realm, user, channel)) ids.add(user.id)
  }
  return ids
}

/**
 * Returns a superset of the users who may see a channel through its permissions or because it is public. Most channels
 * are open to few users, and testing every user for each of many channels would take long in a large organization.
 */
export function permitted(realm: RealmState, channel: ChannelRow): Iterable<AccountRow> {
  if (!channel.is_private) return realm.users.values()
  const users = new Set<AccountRow>()
  for (const name of grantingPermissions) {
    const named = peopleNamed(realm, channel.permissions[name])
    if (!named) return realm.users.values()
    for (const id of named) {
      const user = realm.users.get(id)
      if (user) users.add(user)
    }
  }
  return users
}

function* peopleIn(realm: RealmState, groupIds: Iterable<number>): Iterable<number> {
  for (const groupId of groupIds) for (const { user_id } of realm.membersOfGroup(groupId)) yield user_id
}

/** Returns the users whom a value includes, directly and through groups; undefined if it depends on roles. */
function peopleNamed(realm: RealmState, value: GroupSetting | undefined): number[] | undefined {
  if (value === undefined) return []
  const [people, groups] =
    typeof value === 'number' ? [[], [value]] : [value.direct_members, value.direct_subgroups]
  const inside = groups.map((id) => groupsInside(realm, id))
  if (inside.some(({ system }) => system.some(({ name }) => name !== 'role:nobody'))) return undefined
  return [...people, ...inside.flatMap(({ named }) => [...peopleIn(realm, named)])]
}

/** The ids of active users, of the administrators among them, and of all guests. */
type KindsOfUsers = { active: Set<number>; administrators: number[]; guests: Set<number> }

/** Cached, because one change may need the audiences of hundreds of channels. */
const kindsOfUsers = derived(
  (realm) => realm.users.version,
  (realm): KindsOfUsers => {
    const kinds: KindsOfUsers = { active: new Set(), administrators: [], guests: new Set() }
    for (const user of realm.users.values()) {
      if (user.role === roles.guest) kinds.guests.add(user.id)
      if (!user.is_active) continue
      kinds.active.add(user.id)
      if (isAdministrator(user)) kinds.administrators.push(user.id)
    }
    return kinds
  },
)

function unique(ids: Iterable<number>) {
  return [...new Set(ids)]
}
