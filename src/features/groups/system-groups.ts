import type { AccountRow } from '../../db/schema.ts'
import { roles } from '../../http/access.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { isFullMember, systemGroupId } from './access.ts'
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
