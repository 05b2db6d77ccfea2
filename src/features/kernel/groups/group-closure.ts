import type { UserGroupRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** The groups that are in a group, it included: in one step what would take a walk through groups in groups. */
type Inside = { system: UserGroupRow[]; named: ReadonlySet<number> }

type Known = { madeFrom: string; byGroup: Map<number, Inside> }

const knownOf = new WeakMap<RealmState, Known>()

/** Remembered until the groups change, or what is in them; who is in them does not matter. */
export function groupsInside(realm: RealmState, groupId: number): Inside {
  const madeFrom = `${realm.groups.version} ${realm.groupSubgroups.version}`
  let known = knownOf.get(realm)
  if (known?.madeFrom !== madeFrom) {
    known = { madeFrom, byGroup: new Map() }
    knownOf.set(realm, known)
  }
  let inside = known.byGroup.get(groupId)
  if (!inside) {
    inside = walk(realm, groupId)
    known.byGroup.set(groupId, inside)
  }
  return inside
}

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
