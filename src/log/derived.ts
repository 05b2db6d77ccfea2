import type { RealmState } from './realm-state.ts'

/**
 * Returns a function for a value that is derived from the state and cached. It is made again when `from` returns something else: the
 * versions of the tables that it depends on. `make` also gets the previous value, and may return it if it is still right.
 */
export function derived<T>(
  from: (realm: RealmState) => number | string,
  make: (realm: RealmState, before: T | undefined) => T,
): (realm: RealmState) => T {
  const find = derivedPer(from, (realm, _: undefined, before: T | undefined) => make(realm, before))
  return (realm) => find(realm, undefined)
}

/** Returns a function as `derived` does, with a value for each key. */
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
