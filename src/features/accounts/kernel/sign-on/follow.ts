import type { AccountRow, UserGroupRow } from '../../../../db/schema.ts'
import { roles } from '../../../../http/access.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** What follows what: a group at the sign-on service; a role, or a user group, here. */
type Rule = [theirs: string, ours: string]

/** The role of the first rule whose group somebody is in; undefined if none says anything of them. */
export function roleFor(theirs: string[], rules: Rule[] = []): number | undefined {
  const ours = rules.find(([group]) => theirs.includes(group))?.[1]
  return roles[ours as keyof typeof roles]
}

/** The user groups in which the rules have somebody. */
export function groupsFor(realm: RealmState, theirs: string[], rules: Rule[] = []): UserGroupRow[] {
  return [...governed(realm, theirs, rules)].flatMap(([group, belongs]) => (belongs ? [group] : []))
}

/**
 * Gives somebody the role that the rules have for them, if any. Owners stay owners: a sign-on service can neither make
 * one nor leave the organization without.
 */
export async function followRole(change: Change, user: AccountRow, theirs: string[], rules?: Rule[]) {
  const role = roleFor(theirs, rules)
  if (role === undefined || role === user.role || user.role === roles.owner) return
  await change.update('account', { id: user.id, role })
}

/** Puts somebody into the user groups that the rules name, and takes them out, as they are in theirs or not. */
export async function followGroups(change: Change, { id }: AccountRow, theirs: string[], rules?: Rule[]) {
  for (const [group, belongs] of governed(change.state, theirs, rules)) {
    const row = { group_id: group.id, user_id: id }
    const isMember = change.state.groupMembers.get(`${group.id}:${id}`) !== undefined
    if (belongs === isMember) continue
    if (belongs) await change.insertAll('group_member', [row])
    else await change.deleteAll('group_member', [row])
  }
}

/** The user groups that the rules govern, and whether somebody belongs in each. System groups follow roles alone. */
function governed(realm: RealmState, theirs: string[], rules: Rule[] = []): Map<UserGroupRow, boolean> {
  const groups = new Map<UserGroupRow, boolean>()
  for (const [group, ours] of rules) {
    const named = realm.groupByName(ours.toLowerCase())
    if (!named || named.is_system_group || named.is_deactivated) continue
    groups.set(named, groups.get(named) || theirs.includes(group))
  }
  return groups
}
