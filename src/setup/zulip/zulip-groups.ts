import type { GroupSetting } from '../../db/values.ts'
import { systemGroupId } from '../../features/kernel/groups/access.ts'
import {
  groupPermissions,
  type PermissionSetting,
  systemGroups,
} from '../../features/kernel/groups/permission-settings.ts'
import { groupSettingValue } from '../../features/kernel/groups/setting-value.ts'
import { groupName } from '../../features/people/groups/group-name.ts'
import { groupLimits } from '../../features/people/groups/limits.ts'
import { chunksOf } from '../../lib/collections/chunks-of.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { namesIn } from '../../lib/collections/records.ts'
import type { Change } from '../../log/change.ts'
import { freeName } from '../names.ts'
import { zulipLimits } from './limits.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipRow } from './zulip-tables.ts'

type Group = ZulipRow<'zerver_usergroup'> & { id: number; name: string }

/** The groups of an imported organization: its own ones with their ids, and our system groups by their names. */
export class ZulipGroups {
  private readonly change: Change
  private readonly source: ZulipExport
  private readonly people: ZulipPeople
  /** By ids of the export: ours. Groups without a name, which only hold permissions, are not among them. */
  private readonly ids = new Map<number, number>()
  private readonly members: ReadonlyMap<number, ZulipRow<'zerver_usergroupmembership'>[]>
  private readonly subgroups: ReadonlyMap<number, ZulipRow<'zerver_groupgroupmembership'>[]>

  constructor(change: Change, source: ZulipExport, people: ZulipPeople) {
    this.change = change
    this.source = source
    this.people = people
    this.members = groupBy(source.rows('zerver_usergroupmembership'), (row) => row.user_group)
    this.subgroups = groupBy(source.rows('zerver_groupgroupmembership'), (row) => row.supergroup)
  }

  async addAll() {
    const own: Group[] = []
    for (const group of namedGroups(this.source).values()) {
      const name = group.name.replace(/^@/, '')
      const system = systemGroups.find((one) => one.name === name)
      if (system) this.ids.set(group.id, systemGroupId(this.change.state, system.name))
      else {
        own.push(group)
        this.ids.set(group.id, group.id)
      }
    }
    for (const group of own) await this.addGroup(group)
    await this.addMembers(own)
    // Permissions may name groups that come later.
    await this.change.updateAll(
      'user_group',
      own.map((group) => ({ id: group.id, permissions: this.permissionsOf(group) })),
    )
  }

  /** Returns who holds a permission according to a column, as it is stored here; undefined for its default. */
  valueIn(row: Record<string, unknown>, name: string, setting: PermissionSetting): GroupSetting | undefined {
    const id = row[name]
    if (typeof id !== 'number') return undefined
    return this.allowedValue(name, setting, this.ids.get(id) ?? this.heldBy(id))
  }

  /** Returns a value of a permission as it is stored here; undefined if it cannot have it. */
  allowedValue(name: string, setting: PermissionSetting, value: GroupSetting): GroupSetting | undefined {
    const allowed = unlessRefused(() => groupSettingValue(this.change.state, name, setting, value))
    if (allowed === undefined) this.source.leftOut.add('permissions')
    return allowed
  }

  /** Returns the members of a group that has no name. */
  private heldBy(id: number): GroupSetting {
    const members = this.members.get(id) ?? []
    const subgroups = this.subgroups.get(id) ?? []
    return {
      direct_members: members.flatMap(({ user_profile }) => this.people.user(user_profile)?.id ?? []),
      direct_subgroups: subgroups.flatMap(({ subgroup }) => this.ids.get(subgroup) ?? []),
    }
  }

  private async addGroup({ id, name, description, creator, deactivated, date_created }: Group) {
    const isTaken = (key: string) => this.change.state.groupByName(key) !== undefined
    await this.change.insert('user_group', {
      id,
      name: freeName(possibleName(name), { fallback: 'group', most: groupLimits.groupNameLength, isTaken }),
      description: [...description.replaceAll('\0', '')]
        .slice(0, groupLimits.groupDescriptionLength)
        .join(''),
      creator_id: this.people.get(creator)?.id ?? null,
      is_deactivated: deactivated,
      permissions: {},
      created_at: date_created,
    })
  }

  private async addMembers(groups: readonly Group[]) {
    const members = new Map<string, { group_id: number; user_id: number }>()
    const subgroups = new Map<string, { group_id: number; subgroup_id: number }>()
    for (const { id } of groups) {
      for (const { user_profile } of this.members.get(id) ?? []) {
        const user = this.people.user(user_profile)
        if (user) members.set(`${id} ${user.id}`, { group_id: id, user_id: user.id })
      }
    }
    const ownIds = new Set(groups.map(({ id }) => id))
    for (const { supergroup, subgroup } of this.source.rows('zerver_groupgroupmembership')) {
      const inner = this.ids.get(subgroup)
      if (!ownIds.has(supergroup)) continue
      if (inner === undefined) this.source.leftOut.add('lostReferences')
      else subgroups.set(`${supergroup} ${inner}`, { group_id: supergroup, subgroup_id: inner })
    }
    for (const rows of chunksOf([...members.values()], zulipLimits.rowsPerStatement)) {
      await this.change.insertAll('group_member', rows)
    }
    await this.change.insertAll('group_subgroup', withoutCircles([...subgroups.values()]))
  }

  private permissionsOf(group: Group): Record<string, GroupSetting> {
    const entries = namesIn(groupPermissions).map((name): [string, GroupSetting] => {
      const setting = groupPermissions[name]
      return [name, this.valueIn(group, name, setting) ?? this.byDefault(group, setting)]
    })
    return Object.fromEntries(entries)
  }

  private byDefault({ creator }: Group, { default: name }: PermissionSetting): GroupSetting {
    if (name !== 'group_creator' && name !== 'channel_creator') return systemGroupId(this.change.state, name)
    const user = this.people.get(creator)
    return user
      ? { direct_members: [user.id], direct_subgroups: [] }
      : systemGroupId(this.change.state, 'role:nobody')
  }
}

/** Returns the groups with a name: a table of their own, or in old versions all groups. */
function namedGroups(source: ZulipExport): Map<number, Group> {
  const rows = [...source.rows('zerver_namedusergroup'), ...source.rows('zerver_usergroup')]
  const named = new Map<number, Group>()
  for (const row of rows) {
    const id = row.usergroup_ptr ?? row.id
    if (id !== null && row.name !== null && !named.has(id)) named.set(id, { ...row, id, name: row.name })
  }
  return named
}

/** Some words at the beginning of a name have another meaning here. */
function possibleName(name: string): string {
  return unlessRefused(() => groupName(name)) ?? name.replaceAll(/^[@\s]+|:/g, ' ').trim()
}

type Inner = { group_id: number; subgroup_id: number }

/** Returns the pairs without those by which a group would contain itself. */
function withoutCircles(pairs: readonly Inner[]): Inner[] {
  const inside = new Map<number, number[]>()
  const reaches = (from: number, to: number) => {
    const seen = new Set([from])
    for (const id of seen) for (const inner of inside.get(id) ?? []) seen.add(inner)
    return seen.has(to)
  }
  return pairs.filter(({ group_id, subgroup_id }) => {
    if (reaches(subgroup_id, group_id)) return false
    inside.set(group_id, [...(inside.get(group_id) ?? []), subgroup_id])
    return true
  })
}
