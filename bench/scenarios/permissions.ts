import type { AccountRow, ChannelRow, UserGroupRow } from '../../src/db/schema.ts'
import type { GroupSetting } from '../../src/db/values.ts'
import {
  hasChannelPermission,
  hasContentAccess,
  hasMetadataAccess,
  isChannelAdministrator,
} from '../../src/features/kernel/channels/access.ts'
import { hasRealmPermission, isInGroup } from '../../src/features/kernel/groups/access.ts'
import {
  channelPermissions,
  groupPermissions,
  systemGroups,
} from '../../src/features/kernel/groups/permission-settings.ts'
import { mayInGroup } from '../../src/features/people/groups/group-access.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { firstIn } from '../../src/lib/must.ts'
import { RealmState } from '../../src/log/realm-state.ts'
import type { Result } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { besideBareWork, processorMs } from '../calibration.ts'
import { median, type Row, ratio } from '../measure.ts'

const size = { users: 11_000, groups: 1_000, large: 10, membersOfLarge: 10_000, channels: 100 }
const firstGroup = systemGroups.length + 1

/**
 * Permission checks in memory, on one core: among the groups are some of ten thousand people, and each contains three
 * that come before it, so the last ones contain hundreds.
 */
export async function measurePermissions(seconds: number): Promise<Result> {
  const realm = organization()
  const users = [...realm.users.values()]
  const groups = [...realm.groups.values()]
  const channels = [...realm.channels.values()]
  const checks = {
    'in a group of groups of 10,000': (i: number) =>
      isInGroup(realm, pick(users, i), groups.at(-1 - (i % 50))!.id),
    'a permission of the organization': (i: number) =>
      hasRealmPermission(realm, pick(users, i), 'can_create_public_channel_group'),
    'a permission of a group': (i: number) =>
      mayInGroup(realm, pick(users, i), pick(groups, i), 'can_join_group'),
    'to know of a private channel': (i: number) =>
      hasMetadataAccess(realm, pick(users, i), pick(channels, i)),
    'to read a private channel': (i: number) => hasContentAccess(realm, pick(users, i), pick(channels, i)),
    'to administer a channel': (i: number) =>
      isChannelAdministrator(realm, pick(users, i), pick(channels, i)),
    'to post in a channel': (i: number) =>
      hasChannelPermission(realm, pick(users, i), pick(channels, i), 'can_send_message_group'),
  }
  const found = Object.entries(checks).map(([what, check]) => ({
    what,
    ...measure(check, seconds / Object.keys(checks).length),
  }))
  const bare = median(found.flatMap((one) => one.bare))
  const slowest = firstIn(found.toSorted((a, b) => median(b.micros) - median(a.micros)))
  return {
    rows: [
      ...found.map(({ what, micros }) => row(what, median(micros))),
      row('  bare work, a thousandth (bench/calibration.ts)', bare),
    ],
    findings: [
      {
        what: 'the slowest check, of a thousandth of the bare work',
        ...ratio(slowest.micros, slowest.bare),
        budget: budgets.permissionOfBare,
      },
    ],
  }
}

function row(what: string, micros: number): Row {
  return { what, rate: 1e6 / micros, server: micros, postgres: 0 }
}

// Another one each time, in no order that a processor could guess.
function pick<T>(list: T[], i: number): T {
  return list[(i * 7919) % list.length]!
}

/** Microseconds of a check, and those of a thousandth of the bare work, slice after slice. */
function measure(check: (i: number) => boolean, seconds: number) {
  let held = 0
  let i = 0
  const slice = () => {
    const ms = processorMs(() => {
      for (const end = i + 20_000; i < end; i++) if (check(i)) held += 1
    })
    return ms / 20
  }
  const measured = besideBareWork(slice, seconds)
  if (held === 0) throw new Error('nobody holds the permission')
  return measured
}

function organization(): RealmState {
  const realm = new RealmState(1, systemClock)
  realm.put(['realm', 1, { id: 1, subdomain: '', name: 'Large', settings: {}, is_deactivated: false }])
  for (const [i, { name }] of systemGroups.entries()) putGroup(realm, i + 1, name, true)
  for (let id = 1; id <= size.users; id++) {
    const role = id % 50 === 0 ? 600 : id % 500 === 1 ? 200 : 400
    const row = { realm_id: 1, id, full_name: `User ${id}`, delivery_email: `${id}@x`, role, is_active: true }
    realm.put(['account', id, { ...row, created_at: 0, bot_type: null } as Partial<AccountRow> as AccountRow])
  }
  for (let n = 0; n < size.groups; n++) addGroup(realm, n)
  for (let n = 0; n < size.channels; n++) addChannel(realm, n)
  return realm
}

function addGroup(realm: RealmState, n: number) {
  const id = firstGroup + n
  putGroup(realm, id, `group ${n}`, false)
  const isLarge = n % (size.groups / size.large) === 0
  for (let k = 1; k <= (isLarge ? size.membersOfLarge : 10); k++) {
    const user_id = isLarge ? k : ((n * 104_729 + k * 7919) % size.users) + 1
    realm.put(['group_member', `${id}:${user_id}`, { realm_id: 1, group_id: id, user_id }])
  }
  for (let k = 1; k <= 3 && n > 0; k++) {
    const subgroup_id = firstGroup + ((Math.imul(n + 1, 2_654_435_761 * k) >>> 8) % n)
    realm.put(['group_subgroup', `${id}:${subgroup_id}`, { realm_id: 1, group_id: id, subgroup_id }])
  }
}

function putGroup(realm: RealmState, id: number, name: string, isSystem: boolean) {
  const permissions = isSystem ? {} : settings(Object.keys(groupPermissions), id)
  const row = { realm_id: 1, id, name, is_system_group: isSystem, is_deactivated: false, permissions }
  realm.put(['user_group', id, row as Partial<UserGroupRow> as UserGroupRow])
}

function addChannel(realm: RealmState, n: number) {
  const id = n + 1
  const row = {
    realm_id: 1,
    id,
    recipient_id: id,
    name: `channel ${n}`,
    is_private: true,
    permissions: settings(Object.keys(channelPermissions), firstGroup + size.groups - 1 - n),
  }
  realm.put(['channel', id, row as Partial<ChannelRow> as ChannelRow])
}

/** Each permission is held by a few people and two groups. */
function settings(names: string[], groupId: number): Record<string, GroupSetting> {
  const direct_members = Array.from({ length: 5 }, (_, k) => ((groupId * 31 + k) % size.users) + 1)
  const direct_subgroups = [groupId, Math.max(firstGroup, groupId - 1)]
  return Object.fromEntries(names.map((name) => [name, { direct_members, direct_subgroups }]))
}
