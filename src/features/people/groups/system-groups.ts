import type { AccountRow } from '../../../db/schema.ts'
import { roles } from '../../../lib/roles.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasWaited, isFullMember } from '../../kernel/groups/access.ts'
import type { SystemGroup } from '../../kernel/groups/permission-settings.ts'

/**
 * Returns the system groups that have the user as a direct member; the groups that contain these follow from them.
 * System bots are in none.
 */
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

/**
 * Returns the ids of the users who become full members, and of those who no longer are, when the waiting period (in
 * days) changes.
 */
export function fullMembersChange(realm: RealmState, before: number, after: number) {
  const members = [...realm.users.values()].filter((user) => {
    return user.is_active && !user.is_system_bot && user.role === roles.member
  })
  const now = realm.clock()
  const waited = (user: AccountRow, days: number) => hasWaited(user, days, now)
  const idsOf = (users: AccountRow[]) => users.map((user) => user.id).sort((a, b) => a - b)
  return {
    joining: idsOf(members.filter((user) => waited(user, after) && !waited(user, before))),
    leaving: idsOf(members.filter((user) => waited(user, before) && !waited(user, after))),
  }
}
