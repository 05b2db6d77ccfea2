import type { AccountRow, UserGroupRow } from '../../../db/schema.ts'
import type { GroupSetting } from '../../../db/values.ts'
import { namesIn } from '../../../lib/collections/records.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasMetadataAccess } from '../../kernel/channels/access.ts'
import { realmPermissionValue } from '../../kernel/groups/access.ts'
import { realmPermissions } from '../../kernel/groups/permission-settings.ts'

/** A use of a group: a group that contains it, or a setting that refers to it. */
type GroupUse =
  | { type: 'subgroup'; supergroup_ids: number[] }
  | { type: 'realm'; settings: string[] }
  | { type: 'channel'; channel_id?: number; settings: string[] }
  | { type: 'user_group'; group_id: number; settings: string[] }

/**
 * Returns everything that depends on a group, except the group itself and uses in deactivated groups. Archived channels
 * count, because they may be unarchived. Channels that the caller may not see are one use, without an id.
 */
export function usesOfGroup(realm: RealmState, me: AccountRow, group: UserGroupRow): GroupUse[] {
  const isActive = (id: number) => realm.groups.get(id)?.is_deactivated === false
  const supergroups = [...realm.supergroupsOfGroup(group.id)].map((row) => row.group_id).filter(isActive)
  const uses: GroupUse[] = []
  if (supergroups.length > 0) {
    uses.push({ type: 'subgroup', supergroup_ids: supergroups.sort((a, b) => a - b) })
  }
  const ofRealm = namesIn(realmPermissions).filter((name) =>
    names(realmPermissionValue(realm, name), group.id),
  )
  if (ofRealm.length > 0) uses.push({ type: 'realm', settings: ofRealm })
  uses.push(...usesByChannels(realm, me, group.id))
  for (const other of realm.groups.values()) {
    if (other.id === group.id || other.is_deactivated) continue
    const settings = settingsNaming(other.permissions, group.id)
    if (settings.length > 0) uses.push({ type: 'user_group', group_id: other.id, settings })
  }
  return uses
}

function usesByChannels(realm: RealmState, me: AccountRow, groupId: number): GroupUse[] {
  const uses: GroupUse[] = []
  const hidden = new Set<string>()
  for (const channel of realm.channels.values()) {
    const settings = settingsNaming(channel.permissions, groupId)
    if (settings.length === 0) continue
    if (hasMetadataAccess(realm, me, channel))
      uses.push({ type: 'channel', channel_id: channel.id, settings })
    else for (const name of settings) hidden.add(name)
  }
  return hidden.size > 0 ? [...uses, { type: 'channel', settings: [...hidden].sort() }] : uses
}

function settingsNaming(permissions: Record<string, GroupSetting>, groupId: number): string[] {
  return Object.entries(permissions).flatMap(([name, value]) => (names(value, groupId) ? name : []))
}

function names(value: GroupSetting, groupId: number) {
  return typeof value === 'number' ? value === groupId : value.direct_subgroups.includes(groupId)
}
