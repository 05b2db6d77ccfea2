/** Returns how many ids of a list in rising order are below an id, by bisection: its place in the list, or where it would be. */
export function countBelow(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
