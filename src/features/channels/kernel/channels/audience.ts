import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import type { GroupSetting } from '../../../../db/values.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { derived } from '../../../../log/derived.ts'
import type { Audience } from '../../../../log/entry.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import {
  activeSubscription,
  grantingPermissions,
  hasMetadataAccess,
} from '../../../kernel/channels/access.ts'
import { groupsInside } from '../../../kernel/groups/group-closure.ts'
import { subscribedUsers } from '../subscriptions/subscribers.ts'

/** Returns all users who may see a channel, as `hasMetadataAccess` defines it, and the users in `also`. */
export function channelAudience(
  realm: RealmState,
  channel: ChannelRow,
  also: Iterable<number> = [],
): Audience {
  if (channel.is_web_public) return { everyone: true }
  if (!channel.is_private) {
    return { ...publicAudience([channel], realm.lastMessageId + 1), users: unique(also) }
  }
  const insiders = [...channelAdministrators(realm), ...otherInsiders(realm, channel)]
  return { users: unique([...insiders, ...also]) }
}

/**
 * Returns the audience of an event about public channels: all users except guests, and the subscribers, some of whom are
 * guests, or will be when they fetch the event.
 */
export function publicAudience(channels: ChannelRow[], nextMessageId: number): Audience {
  const subscribed = channels.map(({ recipient_id }) => ({ recipient: recipient_id, at: [nextMessageId] }))
  return { nonGuests: true, subscribed }
}

/** Returns the active administrators, who may see every channel. */
export function channelAdministrators(realm: RealmState): number[] {
  return kindsOfUsers(realm).administrators
}

/**
 * Returns the other users who may see a private channel. The result equals testing `hasMetadataAccess` for each user,
 * which would be slow, and so would a set of users for each of many channels.
 */
export function otherInsiders(realm: RealmState, channel: ChannelRow): number[] {
  const { others } = kindsOfUsers(realm)
  const ids: number[] = []
  for (const id of subscribedUsers(realm, channel.id)) if (others.has(id)) ids.push(id)
  for (const user of possibleViewers(realm, channel)) {
    if (!others.has(user.id) || activeSubscription(realm, user.id, channel.id)) continue
    if (hasMetadataAccess(realm, user, channel)) ids.push(user.id)
  }
  return ids
}

/**
 * Returns a superset of the users who may see a channel through its permissions or because it is public. Most channels
 * are open to few users, and testing every user for each of many channels would take long in a large organization.
 */
export function possibleViewers(realm: RealmState, channel: ChannelRow): Iterable<AccountRow> {
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

/** The ids of active administrators, and of other active users. */
type KindsOfUsers = { administrators: number[]; others: Set<number> }

/** Cached, because one change may need the audiences of hundreds of channels. */
const kindsOfUsers = derived(
  (realm) => realm.users.version,
  (realm): KindsOfUsers => {
    const kinds: KindsOfUsers = { administrators: [], others: new Set() }
    for (const user of realm.users.values()) {
      if (!user.is_active) continue
      if (isAdministrator(user)) kinds.administrators.push(user.id)
      else kinds.others.add(user.id)
    }
    return kinds
  },
)

function unique(ids: Iterable<number>) {
  return [...new Set(ids)]
}
