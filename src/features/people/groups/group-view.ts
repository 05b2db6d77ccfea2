import type { UserGroupRow } from '../../../db/schema.ts'
import { namesIn, recordOf } from '../../../lib/collections/records.ts'
import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { systemGroupId } from '../../kernel/groups/access.ts'
import { groupPermissions, systemGroups } from '../../kernel/groups/permission-settings.ts'
import { groupSettingView } from '../../kernel/groups/setting-view.ts'
import { directSystemGroups, waitedAccounts } from './system-groups.ts'

export type GroupView = ReturnType<typeof groupView>

/** A group as it is on the wire. */
export function groupView(realm: RealmState, group: UserGroupRow) {
  return viewOf(realm, group)
}

/**
 * `realm_user_groups` of POST /register and the groups of GET /user_groups, by id. Deactivated groups are included only
 * if requested.
 */
export function groupsForRegister(
  realm: RealmState,
  { includeDeactivated }: { includeDeactivated: boolean },
) {
  return [...realm.groups.values()]
    .filter((group) => includeDeactivated || !group.is_deactivated)
    .sort((a, b) => a.id - b.id)
    .map((group) => viewOf(realm, group))
}

function viewOf(realm: RealmState, group: UserGroupRow) {
  const isSystem = group.is_system_group
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creator_id,
    date_created: group.created_at,
    is_system_group: isSystem,
    members: isSystem ? (membersByRole(realm).get(group.name) ?? []) : membersOf(realm, group.id),
    direct_subgroup_ids: directSubgroups(realm, group),
    deactivated: group.is_deactivated,
    ...permissionsView(realm, group),
  }
}

function permissionsView(realm: RealmState, group: UserGroupRow) {
  const nobody = systemGroupId(realm, 'role:nobody')
  return recordOf(namesIn(groupPermissions), (name) =>
    groupSettingView(realm, group.permissions[name] ?? nobody),
  )
}

/** Returns the direct members of the system groups by group name: each active user is in the group of their role. */
export const membersByRole = derived(
  (realm) => `${realm.users.version} ${realm.realms.version} ${waitedAccounts(realm)}`,
  (realm): ReadonlyMap<string, number[]> => {
    const members = new Map<string, number[]>()
    for (const user of realm.users.values()) {
      if (!user.is_active) continue
      for (const name of directSystemGroups(realm, user)) {
        const ids = members.get(name)
        if (ids) ids.push(user.id)
        else members.set(name, [user.id])
      }
    }
    return members
  },
)

/** Returns the ids of a group's direct subgroups, by id. */
export function directSubgroups(realm: RealmState, group: UserGroupRow): number[] {
  return group.is_system_group ? systemSubgroups(realm, group.name) : subgroupsOf(realm, group.id)
}

// Each system group except role:nobody contains the one before it.
function systemSubgroups(realm: RealmState, name: string): number[] {
  const place = systemGroups.findIndex((group) => group.name === name)
  return place >= 2 ? [systemGroupId(realm, systemGroups[place - 1]!.name)] : []
}

function membersOf(realm: RealmState, groupId: number): number[] {
  const ids = [...realm.membersOfGroup(groupId)].map((row) => row.user_id)
  return ids.filter((id) => realm.users.get(id)?.is_active).sort((a, b) => a - b)
}

function subgroupsOf(realm: RealmState, groupId: number): number[] {
  return [...realm.subgroupsOfGroup(groupId)].map((row) => row.subgroup_id).sort((a, b) => a - b)
}
