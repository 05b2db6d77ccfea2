/** Returns a list in chunks of at most `size` items. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size))
}
