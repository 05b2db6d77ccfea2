import type { Interval } from '../../db/values.ts'

/** Returns the ranges in order. It joins ranges that overlap or follow each other. */
export function joinedRanges(ranges: readonly Interval[]): Interval[] {
  const joined: Interval[] = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && (last[1] === null || last[1] >= from)) last[1] = laterOf(last[1], to)
    else if (to === null || to > from) joined.push([from, to])
  }
  return joined
}

/** Returns the parts of ranges that are in none of the others. */
export function rangesWithout(ranges: readonly Interval[], others: readonly Interval[]): Interval[] {
  const holes = joinedRanges(others)
  return joinedRanges(ranges).flatMap(([from, to]) => {
    const parts: Interval[] = []
    let at: number | null = from
    for (const [start, end] of holes) {
      if (at === null || (to !== null && start >= to)) break
      if (start > at) parts.push([at, start])
      at = end === null ? null : Math.max(at, end)
    }
    if (at !== null && (to === null || at < to)) parts.push([at, to])
    return parts
  })
}

/** Returns ranges as PostgreSQL writes them. */
export function multirange(ranges: readonly Interval[]): string {
  return `{${ranges.map(([from, to]) => `[${from},${to ?? ''})`).join(',')}}`
}

/** Returns the parts of ranges at and behind a number. */
export function rangesSince(ranges: readonly Interval[], from: number): Interval[] {
  return ranges.flatMap(([start, end]): Interval[] =>
    end !== null && end <= from ? [] : [[Math.max(start, from), end]],
  )
}

function laterOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b)
}
