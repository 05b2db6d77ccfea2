import type { AccountRow, UserGroupRow } from '../../../db/schema.ts'
import { badRequest, notPermitted } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasPermission, hasRealmPermission } from '../../kernel/groups/access.ts'
import { type GroupPermission, groupPermissions } from '../../kernel/groups/permission-settings.ts'

/** Returns the group with this id. Deactivated groups are included. */
export function groupById(realm: RealmState, id: number): UserGroupRow {
  const group = realm.groups.get(id)
  if (!group) throw badRequest('Invalid user group')
  return group
}

/** Returns a user-defined group that the user may change. */
export function groupToManage(realm: RealmState, me: AccountRow, id: number): UserGroupRow {
  const group = groupById(realm, id)
  if (group.is_system_group || !mayManage(realm, me, group)) throw notPermitted()
  return group
}

/**
 * Returns a group to which the user may add, or from which they may remove, other users (or only themselves, if the
 * request concerns no other user). A user who manages the group may do all of that.
 */
export function groupToJoin(realm: RealmState, me: AccountRow, id: number, userIds: number[]) {
  return groupFor(realm, me, id, 'can_add_members_group', isOnly(me, userIds) && 'can_join_group')
}

export function groupToLeave(realm: RealmState, me: AccountRow, id: number, userIds: number[]) {
  return groupFor(realm, me, id, 'can_remove_members_group', isOnly(me, userIds) && 'can_leave_group')
}

function groupFor(
  realm: RealmState,
  me: AccountRow,
  id: number,
  permission: GroupPermission,
  forOneself: GroupPermission | false,
): UserGroupRow {
  const group = groupById(realm, id)
  const allowed =
    !group.is_system_group &&
    (mayInGroup(realm, me, group, permission) ||
      (forOneself && mayInGroup(realm, me, group, forOneself)) ||
      mayManage(realm, me, group))
  if (!allowed) throw notPermitted()
  return group
}

function isOnly(me: AccountRow, userIds: number[]) {
  return userIds.length === 1 && userIds[0] === me.id
}

function mayManage(realm: RealmState, me: AccountRow, group: UserGroupRow) {
  return (
    mayInGroup(realm, me, group, 'can_manage_group') || hasRealmPermission(realm, me, 'can_manage_all_groups')
  )
}

/** Returns whether a user holds a permission of a group, judged only by the value of its setting. */
export function mayInGroup(
  realm: RealmState,
  user: AccountRow,
  group: UserGroupRow,
  permission: GroupPermission,
) {
  const value = group.permissions[permission]
  return value !== undefined && hasPermission(realm, user, value, groupPermissions[permission])
}
