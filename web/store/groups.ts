import { currentState, derived, field } from './server-state.ts'
import type { GroupSetting, UserGroup } from './server-state-types.ts'

/** All groups, also deactivated ones, by id. */
export const groups = derived(
  () => new Map((field('realm_user_groups') ?? []).map((group) => [group.id, group])),
)

export function groupOf(id: number): UserGroup | undefined {
  return groups().get(id)
}

/** Whether a user is among those who have a permission, directly or by groups within groups. */
export function isAmong(setting: GroupSetting | undefined, userId: number): boolean {
  // An older server does not name the permission; it answers for itself.
  if (setting === undefined) return true
  if (typeof setting === 'number') return isMember(setting, userId, new Set())
  return (
    setting.direct_members.includes(userId) ||
    setting.direct_subgroups.some((id) => isMember(id, userId, new Set()))
  )
}

/** Whether the current user has a permission. */
export function isPermitted(setting: GroupSetting | undefined): boolean {
  return isAmong(setting, currentState().user_id)
}

/** Whether the current user has a permission that guests never have, not even as members of a group that has it. */
export function isPermittedMember(setting: GroupSetting | undefined): boolean {
  return !field('is_guest') && isPermitted(setting)
}

/** Whether nobody has a permission. */
export function isNobody(setting: GroupSetting | undefined): boolean {
  if (setting === undefined) return false
  if (typeof setting !== 'number') {
    return setting.direct_members.length === 0 && setting.direct_subgroups.every((id) => isEmpty(id))
  }
  return isEmpty(setting)
}

function isEmpty(id: number) {
  return groupOf(id)?.name === 'role:nobody'
}

function isMember(groupId: number, userId: number, seen: Set<number>): boolean {
  const group = groupOf(groupId)
  if (!group || seen.has(groupId)) return false
  seen.add(groupId)
  return group.members.includes(userId) || group.direct_subgroup_ids.some((id) => isMember(id, userId, seen))
}

/** The members of a group, also by groups within it. */
export function membersOf(groupId: number): Set<number> {
  const found = new Set<number>()
  const seen = new Set<number>()
  const add = (id: number) => {
    const group = groupOf(id)
    if (!group || seen.has(id)) return
    seen.add(id)
    for (const member of group.members) found.add(member)
    for (const subgroup of group.direct_subgroup_ids) add(subgroup)
  }
  add(groupId)
  return found
}
