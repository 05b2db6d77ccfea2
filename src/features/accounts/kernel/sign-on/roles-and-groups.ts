import { roles } from '../../../../db/roles.ts'
import type { AccountRow, UserGroupRow } from '../../../../db/schema.ts'
import { lower } from '../../../../lib/text/lower.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** A mapping from a group at the sign-on service to a role or user group here. */
type Rule = [theirs: string, ours: string]

/** Returns the role of the first rule that matches the user's groups, or undefined if no rule matches. */
export function roleFor(theirs: string[], rules: Rule[] = []): number | undefined {
  const ours = rules.find(([group]) => theirs.includes(group))?.[1]
  return roles[ours as keyof typeof roles]
}

/** Returns the user groups that the rules assign. */
export function groupsFor(realm: RealmState, theirs: string[], rules: Rule[] = []): UserGroupRow[] {
  return [...governedGroups(realm, theirs, rules)].flatMap(([group, belongs]) => (belongs ? [group] : []))
}

/**
 * Sets the role that the rules assign, if any. Owners stay owners: a sign-on service can neither create owners nor
 * leave the organization without one.
 */
export async function followRole(change: Change, user: AccountRow, theirs: string[], rules?: Rule[]) {
  const role = roleFor(theirs, rules)
  if (role === undefined || role === user.role || user.role === roles.owner) return
  await change.update('account', { id: user.id, role })
}

/** Adds the user to the user groups of matching rules, and removes them from the user groups of the others. */
export async function followGroups(change: Change, { id }: AccountRow, theirs: string[], rules?: Rule[]) {
  for (const [group, belongs] of governedGroups(change.state, theirs, rules)) {
    const row = { group_id: group.id, user_id: id }
    const isMember = change.state.groupMembers.get(group.id, id) !== undefined
    if (belongs === isMember) continue
    if (belongs) await change.insertAll('group_member', [row])
    else await change.deleteAll('group_member', [row])
  }
}

/**
 * Returns the user groups that the rules govern, and whether the user belongs to each. System groups depend only on
 * roles.
 */
function governedGroups(realm: RealmState, theirs: string[], rules: Rule[] = []): Map<UserGroupRow, boolean> {
  const groups = new Map<UserGroupRow, boolean>()
  for (const [group, ours] of rules) {
    const named = realm.groupByName(lower(ours))
    if (!named || named.is_system_group || named.is_deactivated) continue
    groups.set(named, groups.get(named) || theirs.includes(group))
  }
  return groups
}
