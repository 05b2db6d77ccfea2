import type { RealmState } from './realm-state.ts'

/**
 * A value that follows from the state, made again only when `from` differs: versions of tables, joined in one string or
 * number. `make` gets the value made before, and may return it again if it is still right.
 */
export function derived<T>(
  from: (realm: RealmState) => number | string,
  make: (realm: RealmState, before: T | undefined) => T,
): (realm: RealmState) => T {
  const find = derivedPer(from, (realm, _: undefined, before: T | undefined) => make(realm, before))
  return (realm) => find(realm, undefined)
}

/** As `derived`, with a value for each key. */
export function derivedPer<Key, T>(
  from: (realm: RealmState, key: Key) => number | string,
  make: (realm: RealmState, key: Key, before: T | undefined) => T,
): (realm: RealmState, key: Key) => T {
  const known = new WeakMap<RealmState, Map<Key, { from: number | string; value: T }>>()
  return (realm, key) => {
    const values = known.get(realm) ?? new Map<Key, { from: number | string; value: T }>()
    if (!known.has(realm)) known.set(realm, values)
    const found = values.get(key)
    const now = from(realm, key)
    if (found?.from === now) return found.value
    const value = make(realm, key, found?.value)
    values.set(key, { from: now, value })
    return value
  }
}
