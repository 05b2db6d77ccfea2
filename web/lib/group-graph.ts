/** A group, as far as who is in it. */
type GroupNode = { id: number; members: readonly number[]; direct_subgroup_ids: readonly number[] }

type Groups = ReadonlyMap<number, GroupNode>

/** Whether a group is another one, or within it, also by groups between them. */
export function isWithin(groups: Groups, inner: number, outer: number): boolean {
  return shortest(groups, outer, ({ id }) => id === inner) !== undefined
}

/**
 * Returns the ways by which a user is in a group, each as the ids of the groups between: none if directly. Of the ways
 * through one direct subgroup, the shortest.
 */
export function waysInto(groups: Groups, groupId: number, userId: number): number[][] {
  const group = groups.get(groupId)
  if (!group) return []
  const has = ({ members }: GroupNode) => members.includes(userId)
  const ways = group.direct_subgroup_ids.map((id) => shortest(groups, id, has))
  return [...(has(group) ? [[]] : []), ...ways.filter((way) => way !== undefined)]
}

/** The shortest chain of groups from one of them to a group that fits, both included. */
function shortest(groups: Groups, from: number, fits: (group: GroupNode) => boolean): number[] | undefined {
  const before = new Map<number, number | undefined>([[from, undefined]])
  for (const id of before.keys()) {
    const group = groups.get(id)
    if (!group) continue
    if (fits(group)) return chainTo(id, before)
    for (const inner of group.direct_subgroup_ids) if (!before.has(inner)) before.set(inner, id)
  }
  return undefined
}

function chainTo(last: number, before: ReadonlyMap<number, number | undefined>): number[] {
  const chain: number[] = []
  for (let at: number | undefined = last; at !== undefined; at = before.get(at)) chain.unshift(at)
  return chain
}
