import { queueLimits } from './limits.ts'
import type { RecentEntries } from './recent-entries.ts'

/** The part of the memory for events that may come in before all of it is counted again. */
const countedAgainAfter = 1 / 16
/** The part that is kept when there is too much. */
const kept = 3 / 4

/**
 * Bounds what the newest entries of all organizations take in the memory of a node. When it is too much, the organizations whose
 * entries were used least recently forget theirs, and queues that have fallen behind there read the log.
 *
 * All is counted from time to time, rather than kept as a sum: an organization that leaves memory needs to say nothing.
 */
export class EventMemory {
  private uncounted = 0
  private uses = 0
  private readonly all: () => RecentEntries[]

  constructor(all: () => RecentEntries[]) {
    this.all = all
  }

  /** Notes that entries take more than before. */
  grow(bytes: number) {
    this.uncounted += bytes
    if (this.uncounted < queueLimits.eventBytesOfNode * countedAgainAfter) return
    this.uncounted = 0
    this.count()
  }

  /** Returns a number for a use of entries, more than those of all uses before. */
  nextUse(): number {
    return ++this.uses
  }

  private count() {
    const all = this.all()
    let size = all.reduce((sum, entries) => sum + entries.size, 0)
    if (size <= queueLimits.eventBytesOfNode) return
    for (const entries of all.sort((a, b) => a.lastUse - b.lastUse)) {
      if (size <= queueLimits.eventBytesOfNode * kept) return
      size -= entries.size
      entries.clear()
    }
  }
}
