import type { JobHandler } from './job.ts'

/** The largest fraction of a lane's slots that one organization may have. */
const mostOfOne = 0.75

/**
 * Kinds of jobs that share slots. `isFull`: the last query left jobs that could not be started. `filling`: the query
 * that is running. `isWanted`: another query must follow it.
 */
export type Lane = {
  kinds: string[]
  slots: number
  /** The work under way, and its organization. */
  running: Map<Promise<void>, number>
  /** The organizations whose jobs were started, the latest last. */
  served: Set<number>
  isFull: boolean
  filling: Promise<void> | undefined
  isWanted: boolean
}

export function laneOf(slots: number, ...handlers: JobHandler[]): Lane {
  return {
    kinds: handlers.map(({ kind }) => kind),
    slots,
    running: new Map(),
    served: new Set(),
    isFull: false,
    filling: undefined,
    isWanted: false,
  }
}

/** Returns the items, rotated by this number of places: with another number each time, no item always comes first. */
export function rotated<T>(items: Iterable<T>, places: number): T[] {
  const all = [...items]
  const first = places % Math.max(1, all.length)
  return [...all.slice(first), ...all.slice(0, first)]
}

/** Returns how many jobs of a lane one organization may have under way. */
export function mostOfOneIn({ slots }: Lane): number {
  return Math.ceil(mostOfOne * slots)
}

/** The jobs of a lane that are under way, by organization. */
export function countsOf({ running }: Lane): Map<number, number> {
  const counts = new Map<number, number>()
  for (const realmId of running.values()) counts.set(realmId, (counts.get(realmId) ?? 0) + 1)
  return counts
}
