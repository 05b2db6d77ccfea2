/** Returns the items of `all` that are not in `gone`. Either list may be very long. */
export function without<Item>(all: readonly Item[], gone: readonly Item[]): Item[] {
  const left = new Set(gone)
  return all.filter((item) => !left.has(item))
}
