import type { AccountRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { Consequence, Consequent } from '../../../log/consequences.ts'
import { systemGroupId } from '../../kernel/groups/access.ts'
import type { SystemGroup } from '../../kernel/groups/permission-settings.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { directSystemGroups, fullMembersChange } from './system-groups.ts'
import {
  ifKnowsDeactivated,
  membersAdded,
  membersRemoved,
  subgroupsAdded,
  subgroupsRemoved,
  type UserGroupEvent,
} from './user_group.event.ts'

const everyone = { everyone: true } as const

export const consequences: Consequence[] = [
  {
    of: ['group_member', 'group_subgroup'],
    emit(consequent) {
      const { before, rows } = consequent
      // The first event of a new group contains its members.
      const members = rows('group_member')
        .map((row) => ({ ...(row.after ?? row.before), isAdded: row.after !== null }))
        .filter(({ group_id }) => before.groups.get(group_id))
        .map(({ group_id, user_id, isAdded }) => ({ group_id, id: user_id, isAdded }))
      const subgroups = rows('group_subgroup')
        .map((row) => ({ ...(row.after ?? row.before), isAdded: row.after !== null }))
        .map(({ group_id, subgroup_id, isAdded }) => ({ group_id, id: subgroup_id, isAdded }))
      emitByGroup(consequent, members, membersAdded, membersRemoved)
      emitByGroup(consequent, subgroups, subgroupsAdded, subgroupsRemoved)
    },
  },
  {
    // Membership of system groups follows from roles and from the waiting period.
    of: ['account'],
    emit(consequent) {
      for (const { before, after } of consequent.rows('account')) {
        // Groups are shown without deactivated users.
        if (!after?.is_active) continue
        if (before?.role !== after.role) emitSystemGroups(consequent, before, after)
      }
    },
    emitLast(consequent) {
      for (const { before, after } of consequent.rows('account')) {
        if (before && after?.is_active && !before.is_active) emitReturn(consequent, after)
      }
    },
  },
  {
    of: ['realm'],
    emitLast({ change, before, after }) {
      const days = (realm: typeof before) => realmSettings(realm).waiting_period_threshold
      if (days(before) === days(after)) return
      const { leaving, joining } = fullMembersChange(after, days(before), days(after))
      const group = systemGroupId(after, 'role:fullmembers')
      if (leaving.length > 0) change.emit(membersRemoved(group, leaving), everyone)
      if (joining.length > 0) change.emit(membersAdded(group, joining), everyone)
    },
  },
]

/**
 * Emits the system groups that a user leaves and joins through a change of role, or as a new user (`before` is null).
 */
function emitSystemGroups(
  { change, after: state }: Consequent,
  before: AccountRow | null,
  after: AccountRow,
) {
  const [base, full] = before ? directSystemGroups(state, before) : []
  const [newBase, newFull] = directSystemGroups(state, after)
  const leave = (name: SystemGroup) =>
    change.emit(membersRemoved(systemGroupId(state, name), [after.id]), everyone)
  const join = (name: SystemGroup) =>
    change.emit(membersAdded(systemGroupId(state, name), [after.id]), everyone)
  if (base && base !== newBase) leave(base)
  if (newBase && newBase !== base) join(newBase)
  if (full && !newFull) leave(full)
  if (newFull && !full) join(newFull)
}

/** Groups are shown without deactivated users, so a reactivated user returns to all of their groups. */
function emitReturn({ change, after: state }: Consequent, user: AccountRow) {
  for (const name of directSystemGroups(state, user).reverse()) {
    change.emit(membersAdded(systemGroupId(state, name), [user.id]), everyone)
  }
  for (const { group_id } of state.groupsOfUser(user.id))
    change.emit(membersAdded(group_id, [user.id]), everyone)
}

type Membership = { group_id: number; id: number; isAdded: boolean }
type MembershipEvent = (groupId: number, ids: number[]) => UserGroupEvent

function emitByGroup(
  { change, after }: Consequent,
  memberships: Membership[],
  added: MembershipEvent,
  removed: MembershipEvent,
) {
  for (const [groupId, changes] of groupBy(memberships, (one) => one.group_id)) {
    const { is_deactivated } = after.groups.require(groupId)
    for (const isAdded of [true, false]) {
      const ids = changes.filter((one) => one.isAdded === isAdded).map((one) => one.id)
      if (ids.length === 0) continue
      const event = (isAdded ? added : removed)(groupId, ids)
      // Not all clients know of deactivated groups.
      change.emit(is_deactivated ? ifKnowsDeactivated(event, true) : event, everyone)
    }
  }
}
