import fc from 'fast-check'
import { roles } from '../../src/db/roles.ts'
import type { AccountRow, ChannelRow, UserGroupRow } from '../../src/db/schema.ts'
import type { GroupSetting } from '../../src/db/values.ts'
import {
  channelPermissions,
  groupPermissions,
  type PermissionSetting,
  realmPermissions,
  type SystemGroup,
  systemGroups,
} from '../../src/features/kernel/groups/permission-settings.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { RealmState } from '../../src/log/realm-state.ts'

/** The number of each kind of object; ids count from 1. System groups come first, then those created by users. */
const size = { people: 7, groups: 5, channels: 4 }
const day = 86_400

/** An organization as plain facts, and as the server holds it. */
export type RandomOrganization = {
  realm: RealmState
  people: AccountRow[]
  groups: UserGroupRow[]
  channels: ChannelRow[]
  /** By group: its direct members and the groups in it. */
  members: Map<number, number[]>
  subgroups: Map<number, number[]>
  /** The users who are subscribed to a channel now. */
  subscribers: Map<number, number[]>
  waitingDays: number
}

const ids = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)
const people = ids(1, size.people)
const systemIds = new Map(systemGroups.map(({ name }, i) => [name, i + 1]))
const groups = ids(systemGroups.length + 1, size.groups)
const channels = ids(1, size.channels)
const some = (list: number[]) => fc.subarray(list, { maxLength: 3 })

/** A valid value of a setting: most often a system group, as in real organizations. */
function value(setting: PermissionSetting): fc.Arbitrary<GroupSetting> {
  const allowed = systemGroups
    .filter(({ name }) => mayBe(setting, name))
    .map(({ name }) => systemIds.get(name)!)
  const system = fc.constantFrom(...allowed)
  if (setting.systemGroups) return system
  const mixed = fc.record({ direct_members: some(people), direct_subgroups: some([...groups, ...allowed]) })
  return fc.oneof(system, fc.constantFrom(...groups), mixed)
}

function mayBe(setting: PermissionSetting, name: SystemGroup) {
  if (name === 'role:internet' || setting.systemGroups?.includes(name) === false) return false
  return (setting.nobody || name !== 'role:nobody') && (setting.everyone || name !== 'role:everyone')
}

const values = (settings: Record<string, PermissionSetting>) =>
  fc.record(Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, value(setting)])))

/** Roles, groups in groups, channels of all kinds, and every setting of all three levels. */
export const organizationFacts = fc.record({
  waitingDays: fc.constantFrom(0, 0, 5),
  spectators: fc.boolean(),
  settings: values(realmPermissions),
  people: fc.tuple(
    ...people.map(() =>
      fc.record({
        role: fc.constantFrom(...Object.values(roles)),
        days: fc.constantFrom(0, 4, 6),
        isActive: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
      }),
    ),
  ),
  groups: fc.tuple(
    ...groups.map((id) =>
      fc.record({
        members: some(people),
        // Groups contain only earlier groups, so there are no cycles.
        subgroups: some([...systemIds.values(), ...groups.filter((other) => other < id)]),
        permissions: values(groupPermissions),
      }),
    ),
  ),
  channels: fc.tuple(
    ...channels.map(() =>
      fc.record({
        kind: fc.constantFrom('public', 'web-public', 'private', 'shared'),
        isArchived: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
        subscribers: some(people),
        former: some(people),
        permissions: values(channelPermissions),
      }),
    ),
  ),
})

type Facts = typeof organizationFacts extends fc.Arbitrary<infer T> ? T : never

/** The organization that such facts describe. */
export function organizationOf(facts: Facts): RandomOrganization {
  const realm = new RealmState(1, systemClock)
  const settings = {
    ...facts.settings,
    waiting_period_threshold: facts.waitingDays,
    enable_spectator_access: facts.spectators,
  }
  realm.put(['realm', 1, { id: 1, subdomain: '', name: 'Random', settings, is_deactivated: false }])
  const organization: RandomOrganization = {
    realm,
    people: facts.people.map((person, i) => account(i + 1, person)),
    groups: [...systemGroups.map(systemGroup), ...facts.groups.map(group)],
    channels: facts.channels.map(channel),
    members: new Map(facts.groups.map(({ members }, i) => [groups[i]!, members])),
    subgroups: new Map(facts.groups.map(({ subgroups }, i) => [groups[i]!, subgroups])),
    subscribers: new Map(facts.channels.map(({ subscribers }, i) => [channels[i]!, subscribers])),
    waitingDays: facts.waitingDays,
  }
  fill(realm, organization)
  for (const [i, { former, subscribers }] of facts.channels.entries()) {
    for (const id of former) if (!subscribers.includes(id)) subscribe(realm, id, channels[i]!, 5)
  }
  return organization
}

function fill(realm: RealmState, { people, groups, channels, ...links }: RandomOrganization) {
  for (const row of people) realm.put(['account', row.id, row])
  for (const row of groups) realm.put(['user_group', row.id, row])
  for (const row of channels) {
    realm.put(['channel', row.id, row])
    const recipient = { realm_id: 1, id: row.recipient_id, channel_id: row.id, user_ids: null }
    realm.put(['recipient', row.recipient_id, recipient])
  }
  for (const [group_id, members] of links.members) {
    for (const user_id of members) {
      realm.put(['group_member', `${group_id}:${user_id}`, { realm_id: 1, group_id, user_id }])
    }
  }
  for (const [group_id, subgroups] of links.subgroups) {
    for (const subgroup_id of subgroups) {
      realm.put(['group_subgroup', `${group_id}:${subgroup_id}`, { realm_id: 1, group_id, subgroup_id }])
    }
  }
  for (const [channelId, subscribers] of links.subscribers) {
    for (const id of subscribers) subscribe(realm, id, channelId, null)
  }
}

function subscribe(realm: RealmState, user_id: number, channel_id: number, until: number | null) {
  const row = { realm_id: 1, user_id, channel_id, received: [[1, until]], color: '', is_muted: false }
  realm.put(['subscription', `${user_id}:${channel_id}`, row])
}

function account(id: number, { role, days, isActive }: Facts['people'][number]): AccountRow {
  return {
    realm_id: 1,
    id,
    delivery_email: `person${id}@example.com`,
    full_name: `Person ${id}`,
    role,
    is_active: isActive,
    bot_type: null,
    bot_owner_id: null,
    is_system_bot: false,
    settings: {},
    created_at: Math.floor(Date.now() / 1000) - days * day - 60,
  } as Partial<AccountRow> as AccountRow
}

function systemGroup({ name }: { name: SystemGroup }): UserGroupRow {
  return groupRow(systemIds.get(name)!, name, true, {})
}

function group({ permissions }: Facts['groups'][number], i: number): UserGroupRow {
  return groupRow(groups[i]!, `group ${i}`, false, permissions)
}

function groupRow(
  id: number,
  name: string,
  isSystem: boolean,
  permissions: UserGroupRow['permissions'],
): UserGroupRow {
  return {
    realm_id: 1,
    id,
    name,
    description: '',
    is_system_group: isSystem,
    creator_id: null,
    is_deactivated: false,
    permissions,
    created_at: null,
  }
}

function channel({ kind, isArchived, permissions }: Facts['channels'][number], i: number): ChannelRow {
  return {
    realm_id: 1,
    id: channels[i]!,
    recipient_id: 100 + i,
    name: `channel ${i}`,
    is_private: kind === 'private' || kind === 'shared',
    is_web_public: kind === 'web-public',
    history_public_to_subscribers: kind !== 'private',
    is_archived: isArchived,
    is_default: false,
    permissions,
  } as Partial<ChannelRow> as ChannelRow
}
