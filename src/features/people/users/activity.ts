import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'

type Activity = { active: Set<number>; inactive: Set<number>; version: number }

const activity = derived(
  (realm) => realm.users.version,
  (realm, before: Activity | undefined): Activity => {
    const active = new Set<number>()
    const inactive = new Set<number>()
    for (const user of realm.users.values()) (user.is_active ? active : inactive).add(user.id)
    if (!before) return { active, inactive, version: 0 }
    if (isSame(before.active, active) && isSame(before.inactive, inactive)) return before
    return { active, inactive, version: before.version + 1 }
  },
)

/** Returns a version that rises when a user becomes active or inactive. Accounts change much more often in other ways. */
export function activityVersion(realm: RealmState): number {
  return activity(realm).version
}

/** Returns the ids of the inactive users: of most organizations a short list. */
export function inactiveUsers(realm: RealmState): ReadonlySet<number> {
  return activity(realm).inactive
}

function isSame(a: Set<number>, b: Set<number>) {
  if (a.size !== b.size) return false
  for (const id of a) if (!b.has(id)) return false
  return true
}
