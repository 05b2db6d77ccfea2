import type { AccountRow } from '../../db/schema.ts'
import { roles } from '../../http/access.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { hasWaited, isFullMember, systemGroupId } from './access.ts'
import type { SystemGroup } from './permission-settings.ts'
import { membersAdded, membersRemoved } from './user_group.event.ts'

/** The system groups that list a user as a member; those that contain these follow. System bots are in none. */
export function directSystemGroups(realm: RealmState, user: AccountRow): SystemGroup[] {
  if (user.is_system_bot) return []
  switch (user.role) {
    case roles.owner:
      return ['role:owners']
    case roles.administrator:
      return ['role:administrators']
    case roles.moderator:
      return ['role:moderators']
    case roles.guest:
      return ['role:everyone']
    default:
      return isFullMember(realm, user) ? ['role:members', 'role:fullmembers'] : ['role:members']
  }
}

/** Tells everybody of the system groups that a user leaves and joins by a change of role, or by being new (`before` null). */
export function tellOfSystemGroups(change: Change, before: AccountRow | null, after: AccountRow) {
  const [base, full] = before ? directSystemGroups(change.state, before) : []
  const [newBase, newFull] = directSystemGroups(change.state, after)
  const leave = (name: SystemGroup) => {
    change.emit(membersRemoved(systemGroupId(change.state, name), [after.id]), { everyone: true })
  }
  const join = (name: SystemGroup) => {
    change.emit(membersAdded(systemGroupId(change.state, name), [after.id]), { everyone: true })
  }
  if (base && base !== newBase) leave(base)
  if (newBase && newBase !== base) join(newBase)
  if (full && !newFull) leave(full)
  if (newFull && !full) join(newFull)
}

/** Tells everybody who becomes a full member, and who no longer is one, by another waiting period (in days). */
export function tellOfFullMembers(change: Change, before: number, after: number) {
  const members = [...change.state.users.values()].filter((user) => {
    return user.is_active && !user.is_system_bot && user.role === roles.member
  })
  const idsOf = (users: AccountRow[]) => users.map((user) => user.id).sort((a, b) => a - b)
  const joining = members.filter((user) => hasWaited(user, after) && !hasWaited(user, before))
  const leaving = members.filter((user) => hasWaited(user, before) && !hasWaited(user, after))
  const group = systemGroupId(change.state, 'role:fullmembers')
  if (leaving.length > 0) change.emit(membersRemoved(group, idsOf(leaving)), { everyone: true })
  if (joining.length > 0) change.emit(membersAdded(group, idsOf(joining)), { everyone: true })
}
