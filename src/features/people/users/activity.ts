import type { RealmState } from '../../../log/realm-state.ts'

type Known = { usersVersion: number; active: Set<number>; version: number }

const knownOf = new WeakMap<RealmState, Known>()

/**
 * Rises when somebody comes to be active, or no longer is: for what is kept until then. Accounts change much more often
 * in other ways.
 */
export function activityVersion(realm: RealmState): number {
  const known = knownOf.get(realm)
  const { version: usersVersion } = realm.users
  if (known?.usersVersion === usersVersion) return known.version
  const active = new Set<number>()
  for (const user of realm.users.values()) if (user.is_active) active.add(user.id)
  const version = !known ? 0 : isSame(known.active, active) ? known.version : known.version + 1
  knownOf.set(realm, { usersVersion, active, version })
  return version
}

function isSame(a: Set<number>, b: Set<number>) {
  if (a.size !== b.size) return false
  for (const id of a) if (!b.has(id)) return false
  return true
}
