import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { GroupSetting } from '../../../db/values.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../settings/settings.ts'
import { groupsInside } from './group-closure.ts'
import {
  type PermissionSetting,
  type RealmPermission,
  realmPermissions,
  type SystemGroup,
} from './permission-settings.ts'

/** Returns the id of a system group. Every organization has all of them. */
export function systemGroupId(realm: RealmState, name: SystemGroup): number {
  const group = realm.groupByName(name)
  if (!group) throw new Error(`realm ${realm.id} has no group ${name}`)
  return group.id
}

/** Returns whether a user holds a permission whose value is `value`. Deactivated users hold no permission. */
export function hasPermission(
  realm: RealmState,
  user: AccountRow,
  value: GroupSetting,
  setting: PermissionSetting,
) {
  if (!user.is_active) return false
  if (user.role === roles.guest && !setting.everyone) return false
  return isInSetting(realm, user, value)
}

/** Returns whether a user holds an organization-level permission. */
export function hasRealmPermission(realm: RealmState, user: AccountRow, permission: RealmPermission) {
  return hasPermission(realm, user, realmPermissionValue(realm, permission), realmPermissions[permission])
}

/** Returns the value of an organization-level permission: the configured one or its default. */
export function realmPermissionValue(realm: RealmState, permission: RealmPermission): GroupSetting {
  const set = realm.row.settings[permission]
  return set ?? systemGroupId(realm, realmPermissions[permission].default)
}

/** Returns whether a group-setting value includes a user, directly or through nested groups. */
export function isInSetting(realm: RealmState, user: AccountRow, value: GroupSetting): boolean {
  if (typeof value === 'number') return isInGroup(realm, user, value)
  return (
    value.direct_members.includes(user.id) || value.direct_subgroups.some((id) => isInGroup(realm, user, id))
  )
}

/**
 * Returns whether a user is in a group, directly or through its subgroups. Searches the smaller of two sets: the user's
 * groups or the group's members.
 */
export function isInGroup(realm: RealmState, user: AccountRow, groupId: number): boolean {
  const { system, named } = groupsInside(realm, groupId)
  if (system.some((group) => isInSystemGroup(realm, user, group.name as SystemGroup))) return true
  const own = realm.groupsOfUser(user.id)
  if (named.size <= own.size) {
    for (const id of named) if (realm.groupMembers.get(id, user.id)) return true
    return false
  }
  for (const { group_id } of own) if (named.has(group_id)) return true
  return false
}

/** Membership of system groups follows from roles. Each group contains the ones before it. */
function isInSystemGroup(realm: RealmState, user: AccountRow, name: SystemGroup): boolean {
  switch (name) {
    case 'role:nobody':
      return false
    case 'role:owners':
      return user.role <= roles.owner
    case 'role:administrators':
      return user.role <= roles.administrator
    case 'role:moderators':
      return user.role <= roles.moderator
    case 'role:fullmembers':
      return user.role <= roles.moderator || isFullMember(realm, user)
    case 'role:members':
      return user.role <= roles.member
    default:
      return true
  }
}

/** Returns whether a user is a member whose account is older than the organization's waiting period. */
export function isFullMember(realm: RealmState, user: AccountRow) {
  return hasWaited(user, realmSettings(realm).waiting_period_threshold, realm.clock())
}

/** Returns whether a user is a member whose account is at least `waitingDays` days old at the time `now`. */
export function hasWaited(user: AccountRow, waitingDays: number, now: number) {
  if (user.role > roles.member) return false
  return waitingDays === 0 || endOfWaiting(user, waitingDays) <= now
}

/** Returns when a member's waiting period of some days ends (UNIX seconds). */
export function endOfWaiting(user: AccountRow, waitingDays: number): number {
  return user.created_at + waitingDays * 86_400
}
