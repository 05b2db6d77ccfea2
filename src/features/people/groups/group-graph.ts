import type { AccountRow, UserGroupRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isInGroup } from '../../kernel/groups/access.ts'
import { groupsInside } from '../../kernel/groups/group-closure.ts'
import { directSubgroups } from './group-view.ts'

/** A group's id and those of all groups in it, in groups in it, and so on. */
export function groupsWithin(realm: RealmState, groupId: number): Set<number> {
  return reach(groupId, (id) => {
    const group = realm.groups.get(id)
    return group ? directSubgroups(realm, group) : []
  })
}

/** A group's id and those of all groups that contain it, or a group that does, and so on. */
export function groupsAround(realm: RealmState, groupId: number): Set<number> {
  return reach(groupId, (id) => [...realm.supergroupsOfGroup(id)].map((row) => row.group_id))
}

/** The active users in a group, directly or through its subgroups, by id. */
export function allMembers(realm: RealmState, group: UserGroupRow): number[] {
  const { system, named } = groupsInside(realm, group.id)
  const isMember = (user: AccountRow) =>
    user.is_active && !user.is_system_bot && (system.length === 0 || isInGroup(realm, user, group.id))
  // Without a group that goes by roles, the rows say all.
  const possible = system.length === 0 ? membersOf(realm, named) : realm.users.values()
  return [...possible]
    .filter(isMember)
    .map((user) => user.id)
    .sort((a, b) => a - b)
}

function membersOf(realm: RealmState, groupIds: Iterable<number>): Set<AccountRow> {
  const members = new Set<AccountRow>()
  for (const groupId of groupIds) {
    for (const { user_id } of realm.membersOfGroup(groupId)) members.add(realm.users.get(user_id)!)
  }
  return members
}

function reach(start: number, next: (id: number) => number[]): Set<number> {
  const seen = new Set([start])
  for (const id of seen) for (const other of next(id)) seen.add(other)
  return seen
}
