import type { AccountRow } from '../../../db/schema.ts'
import { roles } from '../../../lib/roles.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasWaited, isFullMember } from '../../kernel/groups/access.ts'
import type { SystemGroup } from '../../kernel/groups/permission-settings.ts'

/**
 * Returns the system groups that have the user as a direct member; the groups that contain these follow from them.
 * System bots are in none.
 */
export function directSystemGroups(realm: RealmState, user: AccountRow): readonly SystemGroup[] {
  if (user.is_system_bot) return ofNobody
  if (user.role === roles.member && isFullMember(realm, user)) return ofFullMember
  return ofRole.get(user.role) ?? ofMember
}

// Made once: some code asks for each user of an organization.
const ofNobody: readonly SystemGroup[] = []
const ofMember: readonly SystemGroup[] = ['role:members']
const ofFullMember: readonly SystemGroup[] = ['role:members', 'role:fullmembers']
const ofRole = new Map<number, readonly SystemGroup[]>([
  [roles.owner, ['role:owners']],
  [roles.administrator, ['role:administrators']],
  [roles.moderator, ['role:moderators']],
  [roles.guest, ['role:everyone']],
])

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
