/** Creates one value per owner, lazily: for example, one per node, whose Site is the owner. */
export function memoizePer<Owner extends object, T>(make: (owner: Owner) => T): (owner: Owner) => T {
  const known = new WeakMap<Owner, T>()
  return (owner) => {
    const found = known.get(owner)
    if (found !== undefined) return found
    const made = make(owner)
    known.set(owner, made)
    return made
  }
}
