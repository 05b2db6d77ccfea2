import type { UserGroupRow } from '../../../db/schema.ts'
import { derivedPer } from '../../../log/derived.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** A group and all groups nested in it, computed once instead of walking the groups on every check. */
type Inside = { system: UserGroupRow[]; named: ReadonlySet<number> }

/** Returns the groups nested in a group. Cached until groups or their subgroups change; members do not matter. */
export const groupsInside = derivedPer(
  (realm) => `${realm.groups.version} ${realm.groupSubgroups.version}`,
  walk,
)

function walk(realm: RealmState, groupId: number): Inside {
  const seen = new Set([groupId])
  const system: UserGroupRow[] = []
  const named = new Set<number>()
  for (const id of seen) {
    const group = realm.groups.get(id)
    if (group?.is_system_group) system.push(group)
    else if (group) named.add(id)
    for (const { subgroup_id } of realm.subgroupsOfGroup(id)) seen.add(subgroup_id)
  }
  return { system, named }
}
