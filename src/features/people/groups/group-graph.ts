import type { AccountRow, UserGroupRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isInGroup } from '../../kernel/groups/access.ts'
import { groupsInside } from '../../kernel/groups/group-closure.ts'
import { directSubgroups } from './group-view.ts'

/** Returns a group's id and those of its direct and indirect subgroups. */
export function groupsWithin(realm: RealmState, groupId: number): Set<number> {
  return reach(groupId, (id) => {
    const group = realm.groups.get(id)
    return group ? directSubgroups(realm, group) : []
  })
}

/** Returns a group's id and those of all groups that contain it, directly or indirectly. */
export function groupsAround(realm: RealmState, groupId: number): Set<number> {
  return reach(groupId, (id) => [...realm.supergroupsOfGroup(id)].map((row) => row.group_id))
}

/** Returns the active users in a group, directly or through its subgroups, by id. */
export function allMembers(realm: RealmState, group: UserGroupRow): number[] {
  const { system, named } = groupsInside(realm, group.id)
  const isMember = (user: AccountRow) =>
    user.is_active && !user.is_system_bot && (system.length === 0 || isInGroup(realm, user, group.id))
  // Without a role-based group, the rows are complete.
  const possible = system.length === 0 ? membersOf(realm, named) : realm.users.values()
  return [...possible]
    .filter(isMember)
    .map((user) => user.id)
    .sort((a, b) => a - b)
}

function membersOf(realm: RealmState, groupIds: Iterable<number>): Set<AccountRow> {
  const members = new Set<AccountRow>()
  for (const groupId of groupIds) {
    for (const { user_id } of realm.membersOfGroup(groupId)) members.add(realm.users.require(user_id))
  }
  return members
}

function reach(start: number, next: (id: number) => number[]): Set<number> {
  const seen = new Set([start])
  for (const id of seen) for (const other of next(id)) seen.add(other)
  return seen
}
