/** Returns how many ids in an ascending list are lower than this one, by binary search: the index at which it is, or would be inserted. */
export function countBelow(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
