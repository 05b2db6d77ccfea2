import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { countBelow } from '../../../lib/collections/count-below.ts'
import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { endOfWaiting, hasWaited, isFullMember } from '../../kernel/groups/access.ts'
import type { SystemGroup } from '../../kernel/groups/permission-settings.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'

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
 * Returns how many accounts are older than the waiting period. As time passes, the members of the system groups change only
 * when this number does.
 */
export function waitedAccounts(realm: RealmState): number {
  const { waiting_period_threshold: days } = realmSettings(realm)
  return days === 0 ? 0 : countBelow(timesOfCreation(realm), realm.clock() - days * 86_400 + 1)
}

const timesOfCreation = derived(
  (realm) => realm.users.version,
  (realm) => [...realm.users.values()].map((user) => user.created_at).sort((a, b) => a - b),
)

/** Returns the ids of the members whose waiting period has ended since a time (UNIX seconds). */
export function fullMembersSince(realm: RealmState, since: number): number[] {
  const { waiting_period_threshold: days } = realmSettings(realm)
  const now = realm.clock()
  const joined = membersOf(realm.users.values()).filter(
    (user) => hasWaited(user, days, now) && !hasWaited(user, days, since - 1),
  )
  return idsOf(joined)
}

/** Returns when the next of these users becomes a full member after a time (UNIX seconds); undefined if none is waiting then. */
export function nextFullMemberAt(
  realm: RealmState,
  users: Iterable<AccountRow>,
  now: number,
): number | undefined {
  const { waiting_period_threshold: days } = realmSettings(realm)
  if (days === 0) return undefined
  const ends = membersOf(users).map((user) => endOfWaiting(user, days))
  const next = ends.reduce((least, end) => (end > now && end < least ? end : least), Number.POSITIVE_INFINITY)
  return Number.isFinite(next) ? next : undefined
}

/**
 * Returns the ids of the users who become full members, and of those who no longer are, when the waiting period (in
 * days) changes.
 */
export function fullMembersChange(realm: RealmState, before: number, after: number) {
  const members = membersOf(realm.users.values())
  const now = realm.clock()
  const waited = (user: AccountRow, days: number) => hasWaited(user, days, now)
  return {
    joining: idsOf(members.filter((user) => waited(user, after) && !waited(user, before))),
    leaving: idsOf(members.filter((user) => waited(user, before) && !waited(user, after))),
  }
}

/** Returns the active members among these users: those who may have to wait until they are full members. */
function membersOf(users: Iterable<AccountRow>): AccountRow[] {
  return [...users].filter((user) => user.is_active && !user.is_system_bot && user.role === roles.member)
}

function idsOf(users: AccountRow[]): number[] {
  return users.map((user) => user.id).sort((a, b) => a - b)
}
