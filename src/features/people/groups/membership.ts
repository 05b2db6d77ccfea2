import type { UserGroupRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { groupsWithin } from './group-graph.ts'

/** Returns the distinct users with these ids; throws unless all exist and are active. */
export function checkNewMembers(realm: RealmState, ids: number[]): number[] {
  const unknown = ids.find((id) => {
    const user = realm.users.get(id)
    return !user?.is_active || user.is_system_bot
  })
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`)
  return [...new Set(ids)]
}

/** Returns the users to add to a group; throws if one is already a member. */
export function checkAdditions(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const users = checkNewMembers(realm, ids)
  const member = users.find((id) => realm.groupMembers.get(group.id, id))
  if (member !== undefined) throw badRequest(`User ${member} is already a member of this group`)
  return users
}

/** Returns the users to remove from a group; throws if one is not a member. */
export function checkRemovals(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const unknown = ids.find((id) => !realm.users.get(id))
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`)
  const stranger = ids.find((id) => !realm.groupMembers.get(group.id, id))
  if (stranger !== undefined) throw badRequest(`There is no member '${stranger}' in this user group`)
  return [...new Set(ids)]
}

/** Returns the distinct groups with these ids; throws unless all can be subgroups. */
export function checkSubgroups(realm: RealmState, ids: number[]): number[] {
  for (const id of ids) {
    const group = realm.groups.get(id)
    if (!group) throw badRequest(`Invalid user group ID: ${id}`)
    if (group.is_deactivated) throw badRequest('User group is deactivated.')
  }
  return [...new Set(ids)]
}

/** Returns the groups to add to a group; throws if one is already a subgroup, or if the group would contain itself. */
export function checkSubgroupAdditions(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const subgroups = checkSubgroups(realm, ids)
  const known = subgroups.find((id) => realm.groupSubgroups.get(group.id, id))
  if (known !== undefined) throw badRequest(`User group ${known} is already a subgroup of this group.`)
  if (subgroups.some((id) => groupsWithin(realm, id).has(group.id))) {
    throw badRequest(`User group ${group.id} is already a subgroup of one of the passed subgroups.`)
  }
  return subgroups
}

/** Returns the groups to remove from a group; throws if one is not a subgroup. */
export function checkSubgroupRemovals(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const unknown = ids.find((id) => !realm.groups.get(id))
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`)
  const stranger = ids.find((id) => !realm.groupSubgroups.get(group.id, id))
  if (stranger !== undefined) throw badRequest(`User group ${stranger} is not a subgroup of this group.`)
  return [...new Set(ids)]
}
