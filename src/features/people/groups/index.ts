import { createGroup } from './create-group.ts'
import { deactivateGroup } from './deactivate-group.ts'
import { getGroupMembers } from './get-group-members.ts'
import { getGroupMembership } from './get-group-membership.ts'
import { getGroupSubgroups } from './get-group-subgroups.ts'
import { getGroups } from './get-groups.ts'
import { updateGroup } from './update-group.ts'
import { updateGroupMembers } from './update-group-members.ts'
import { updateGroupSubgroups } from './update-group-subgroups.ts'
import { userGroupEvent } from './user_group.event.ts'

export const endpoints = [
  createGroup,
  deactivateGroup,
  getGroupMembers,
  getGroupMembership,
  getGroupSubgroups,
  updateGroup,
  updateGroupMembers,
  updateGroupSubgroups,
  getGroups,
]

export const eventTypes = [userGroupEvent]

export { consequences } from './consequences.ts'
