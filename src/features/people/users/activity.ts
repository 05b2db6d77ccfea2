import { derived } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'

type Activity = { active: Set<number>; version: number }

const activity = derived(
  (realm) => realm.users.version,
  (realm, before: Activity | undefined): Activity => {
    const active = new Set<number>()
    for (const user of realm.users.values()) if (user.is_active) active.add(user.id)
    if (!before) return { active, version: 0 }
    return isSame(before.active, active) ? before : { active, version: before.version + 1 }
  },
)

/** Returns a version that rises when a user becomes active or inactive. Accounts change much more often in other ways. */
export function activityVersion(realm: RealmState): number {
  return activity(realm).version
}

function isSame(a: Set<number>, b: Set<number>) {
  if (a.size !== b.size) return false
  for (const id of a) if (!b.has(id)) return false
  return true
}
