// Which messages of a window are in the page. All lists are ids in rising order.

/** How many are in the page at most, and how many more come when the reader nears an end. */
export const rowsShown = 300
const step = 100

/** The part that is shown first: around a message, or the newest. */
export function rowsAround(ids: number[], id: number | undefined): number[] {
  const found = id === undefined ? -1 : ids.findIndex((other) => other >= id)
  const at = found < 0 ? ids.length : found
  const from = Math.max(0, Math.min(at - rowsShown / 2, ids.length - rowsShown))
  return ids.slice(from, from + rowsShown)
}

/** The same with older messages above; the newest give way. */
export function withOlder(ids: number[], shown: number[]): number[] {
  const first = ids.indexOf(shown[0] ?? -1)
  if (first <= 0) return shown
  const from = Math.max(0, first - step)
  return ids.slice(from, from + rowsShown)
}

/** The same with newer messages below; the oldest give way. */
export function withNewer(ids: number[], shown: number[]): number[] {
  const last = ids.indexOf(shown.at(-1) ?? -1)
  if (last < 0 || last === ids.length - 1) return shown
  const end = Math.min(ids.length, last + 1 + step)
  return ids.slice(Math.max(0, end - rowsShown), end)
}

/**
 * The rows after the window has changed from `before` to `ids`. Rows that were shown stay. A part that reached an end of
 * the window still does; at the beginning, as far as there is room. The oldest give way only if the reader is at the
 * end, and does not see them.
 */
export function shownAfter(ids: number[], before: number[], shown: number[], isAtEnd: boolean): number[] {
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return rowsAround(ids, undefined)
  const from = ids.findIndex((id) => id >= first)
  if (from < 0) return rowsAround(ids, undefined)
  const end = last === before.at(-1) ? ids.length : ids.findLastIndex((id) => id <= last) + 1
  if (end <= from) return rowsAround(ids, first)
  const room = Math.max(0, end - rowsShown)
  if (isAtEnd) return ids.slice(Math.max(first === before[0] ? 0 : from, room), end)
  return ids.slice(first === before[0] ? Math.min(from, room) : from, end)
}
