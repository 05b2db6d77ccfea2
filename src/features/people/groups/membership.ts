import type { UserGroupRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { groupsWithin } from './group-graph.ts'

/** The users of these ids, each once; throws unless all exist and are active. */
export function checkNewMembers(realm: RealmState, ids: number[]): number[] {
  const unknown = ids.find((id) => {
    const user = realm.users.get(id)
    return !user?.is_active || user.is_system_bot
  })
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`)
  return [...new Set(ids)]
}

/** Those who are to be added to a group; throws if somebody is in it already. */
export function checkAdditions(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const users = checkNewMembers(realm, ids)
  const member = users.find((id) => realm.groupMembers.get(`${group.id}:${id}`))
  if (member !== undefined) throw badRequest(`User ${member} is already a member of this group`)
  return users
}

/** Those who are to be removed from a group; throws if somebody is not in it. */
export function checkRemovals(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const unknown = ids.find((id) => !realm.users.get(id))
  if (unknown !== undefined) throw badRequest(`Invalid user ID: ${unknown}`)
  const stranger = ids.find((id) => !realm.groupMembers.get(`${group.id}:${id}`))
  if (stranger !== undefined) throw badRequest(`There is no member '${stranger}' in this user group`)
  return [...new Set(ids)]
}

/** The groups of these ids, each once; throws unless all can be part of another. */
export function checkSubgroups(realm: RealmState, ids: number[]): number[] {
  for (const id of ids) {
    const group = realm.groups.get(id)
    if (!group) throw badRequest(`Invalid user group ID: ${id}`)
    if (group.is_deactivated) throw badRequest('User group is deactivated.')
  }
  return [...new Set(ids)]
}

/** The groups that are to be added to a group; throws if one is in it already, or it would contain itself. */
export function checkSubgroupAdditions(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const subgroups = checkSubgroups(realm, ids)
  const known = subgroups.find((id) => realm.groupSubgroups.get(`${group.id}:${id}`))
  if (known !== undefined) throw badRequest(`User group ${known} is already a subgroup of this group.`)
  if (subgroups.some((id) => groupsWithin(realm, id).has(group.id))) {
    throw badRequest(`User group ${group.id} is already a subgroup of one of the passed subgroups.`)
  }
  return subgroups
}

/** The groups that are to be removed from a group; throws if one is not in it. */
export function checkSubgroupRemovals(realm: RealmState, group: UserGroupRow, ids: number[]): number[] {
  const unknown = ids.find((id) => !realm.groups.get(id))
  if (unknown !== undefined) throw badRequest(`Invalid user group ID: ${unknown}`)
  const stranger = ids.find((id) => !realm.groupSubgroups.get(`${group.id}:${id}`))
  if (stranger !== undefined) throw badRequest(`User group ${stranger} is not a subgroup of this group.`)
  return [...new Set(ids)]
}
