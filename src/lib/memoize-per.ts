/** Something of which each owner has one for itself, from when it first asks: each node, say, whose Site it is. */
export function memoizePer<Owner extends object, T>(make: () => T): (owner: Owner) => T {
  const known = new WeakMap<Owner, T>()
  return (owner) => {
    const found = known.get(owner)
    if (found !== undefined) return found
    const made = make()
    known.set(owner, made)
    return made
  }
}
