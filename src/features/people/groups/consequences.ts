import type { AccountRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Change } from '../../../log/change.ts'
import type { Consequence, RowChanges } from '../../../log/consequences.ts'
import type { Audience } from '../../../log/entry.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { systemGroupId } from '../../kernel/groups/access.ts'
import type { SystemGroup } from '../../kernel/groups/permission-settings.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { guestsWhoCannotSee } from '../../kernel/users/user-visibility.ts'
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
    emit(rowChanges) {
      const { before, rows } = rowChanges
      // The first event of a new group contains its members.
      const members = rows('group_member')
        .map((row) => ({ ...(row.after ?? row.before), isAdded: row.after !== null }))
        .filter(({ group_id }) => before.groups.get(group_id))
        .map(({ group_id, user_id, isAdded }) => ({ group_id, id: user_id, isAdded }))
      const subgroups = rows('group_subgroup')
        .map((row) => ({ ...(row.after ?? row.before), isAdded: row.after !== null }))
        .map(({ group_id, subgroup_id, isAdded }) => ({ group_id, id: subgroup_id, isAdded }))
      emitByGroup(rowChanges, members, membersAdded, membersRemoved)
      emitByGroup(rowChanges, subgroups, subgroupsAdded, subgroupsRemoved)
    },
  },
  {
    // Membership of system groups follows from roles and from the waiting period.
    of: ['account'],
    emit(rowChanges) {
      for (const { before, after } of rowChanges.rows('account')) {
        if (!after) continue
        if (before?.is_active && !after.is_active) emitRemovals(rowChanges, before)
        // Groups are shown without deactivated users.
        if (after.is_active && before?.role !== after.role) emitSystemGroups(rowChanges, before, after)
      }
    },
    emitLast(rowChanges) {
      for (const { before, after } of rowChanges.rows('account')) {
        if (before && after?.is_active && !before.is_active) emitReturned(rowChanges, after)
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
  { change, after: state }: RowChanges,
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
function emitReturned({ change, after: state }: RowChanges, user: AccountRow) {
  for (const id of groupIdsOf(state, user))
    emitChange(change, state, id, membersAdded(id, [user.id]), everyone)
}

/** Clients remove a deactivated user from all groups, but guests who do not see the user are not told of it otherwise. */
function emitRemovals({ change, after: state }: RowChanges, user: AccountRow) {
  const users = guestsWhoCannotSee(state, user)
  if (users.length === 0) return
  for (const id of groupIdsOf(state, user))
    emitChange(change, state, id, membersRemoved(id, [user.id]), { users })
}

/** Returns the ids of the groups that have the user as a direct member, system groups first. */
function groupIdsOf(state: RealmState, user: AccountRow): number[] {
  const system = directSystemGroups(state, user).toReversed()
  const others = [...state.groupsOfUser(user.id)].map(({ group_id }) => group_id)
  return [...system.map((name) => systemGroupId(state, name)), ...others]
}

/** Emits the event of a group. Not all clients know of deactivated groups. */
function emitChange(
  change: Change,
  state: RealmState,
  groupId: number,
  event: UserGroupEvent,
  audience: Audience,
) {
  const { is_deactivated } = state.groups.require(groupId)
  change.emit(is_deactivated ? ifKnowsDeactivated(event, true) : event, audience)
}

type Membership = { group_id: number; id: number; isAdded: boolean }
type MembershipEvent = (groupId: number, ids: number[]) => UserGroupEvent

function emitByGroup(
  { change, after }: RowChanges,
  memberships: Membership[],
  added: MembershipEvent,
  removed: MembershipEvent,
) {
  for (const [groupId, changes] of groupBy(memberships, (one) => one.group_id)) {
    for (const isAdded of [true, false]) {
      const ids = changes.filter((one) => one.isAdded === isAdded).map((one) => one.id)
      if (ids.length === 0) continue
      emitChange(change, after, groupId, (isAdded ? added : removed)(groupId, ids), everyone)
    }
  }
}
