import { isPermitted, isPermittedMember } from './groups.ts'
import { field } from './server-state.ts'
import type { UserGroup } from './server-state-types.ts'

// The permissions of this user on groups. The server decides; these functions only explain in advance what it would
// refuse.

export function mayCreateGroups(): boolean {
  return isPermittedMember(field('realm_can_create_groups'))
}

export function mayManage(group: UserGroup): boolean {
  if (group.is_system_group) return false
  return isPermittedMember(group.can_manage_group) || isPermittedMember(field('realm_can_manage_all_groups'))
}

export function mayAddMembers(group: UserGroup): boolean {
  return !group.is_system_group && (mayManage(group) || isPermittedMember(group.can_add_members_group))
}

export function mayRemoveMembers(group: UserGroup): boolean {
  return !group.is_system_group && (mayManage(group) || isPermittedMember(group.can_remove_members_group))
}

export function mayJoin(group: UserGroup): boolean {
  return mayAddMembers(group) || (!group.is_system_group && isPermittedMember(group.can_join_group))
}

export function mayLeave(group: UserGroup): boolean {
  return mayRemoveMembers(group) || (!group.is_system_group && isPermitted(group.can_leave_group))
}
