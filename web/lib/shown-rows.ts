// Chooses the messages of a window that are in the page. All lists are ids in rising order.

/** How many are in the page at most, and how many more come when the reader nears an end. */
export const rowsShown = 300
const step = 100
/** How many of them come, and go, in one frame: a hundred together take longer than a frame lasts. */
export const rowsPerFrame = 10

/** The part that is shown first: around a message, or the newest. */
export function rowsAround(ids: number[], id: number | undefined, count = rowsShown): number[] {
  const found = id === undefined ? -1 : ids.findIndex((other) => other >= id)
  const at = found < 0 ? ids.length : found
  const from = Math.max(0, Math.min(at - Math.floor(count / 2), ids.length - count))
  return ids.slice(from, from + count)
}

/** Returns the rows of the next frame, on the way from `shown` to `wanted`: at most `pace` rows come, and as many go. */
export function towards(ids: number[], shown: number[], wanted: number[], pace: number): number[] {
  const [start, stop] = bounds(ids, wanted)
  let [from, end] = bounds(ids, shown)
  const newer = Math.min(pace, Math.max(0, stop - end))
  const older = Math.min(pace - newer, Math.max(0, from - start))
  from += Math.min(pace, Math.max(0, start - from)) - older
  end -= Math.min(pace, Math.max(0, end - stop)) - newer
  return ids.slice(from, end)
}

/**
 * Returns the rows that stay in the page when the window changes: of those that are wanted, the ones between the first
 * and the last that were shown. A reader at the end sees what has come there; if that is more than comes in one frame, `atFirst` rows.
 */
export function rowsKept(
  ids: number[],
  shown: number[],
  wanted: number[],
  options: { isAtEnd: boolean; atFirst: number },
): number[] {
  const [start, stop] = bounds(ids, wanted)
  const from = Math.max(start, firstFrom(ids, shown[0] ?? 0))
  const end = Math.min(stop, lastUpTo(ids, shown.at(-1) ?? 0) + 1)
  if (end <= from) return wanted.slice(-options.atFirst)
  if (!options.isAtEnd) return ids.slice(from, end)
  return stop - end > rowsPerFrame ? wanted.slice(-options.atFirst) : ids.slice(from, stop)
}

export function isSame(some: number[], others: number[]): boolean {
  return some.length === others.length && some[0] === others[0] && some.every((id, i) => id === others[i])
}

function bounds(ids: number[], part: number[]): [number, number] {
  return [firstFrom(ids, part[0] ?? 0), lastUpTo(ids, part.at(-1) ?? 0) + 1]
}

function firstFrom(ids: number[], id: number) {
  const found = ids.findIndex((other) => other >= id)
  return found < 0 ? ids.length : found
}

function lastUpTo(ids: number[], id: number) {
  return ids.findLastIndex((other) => other <= id)
}

/** Returns the shown messages with older ones above; the newest leave. */
export function withOlder(ids: number[], shown: number[]): number[] {
  const first = ids.indexOf(shown[0] ?? -1)
  if (first <= 0) return shown
  const from = Math.max(0, first - step)
  return ids.slice(from, from + rowsShown)
}

/** Returns the shown messages with newer ones below; the oldest leave. */
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
