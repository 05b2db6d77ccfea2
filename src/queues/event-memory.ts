import { queueLimits } from './limits.ts'
import type { RecentEntries } from './recent-entries.ts'

/** The entries are counted again whenever this fraction of the limit has been added. */
const countedAgainAfter = 1 / 16
/** The fraction of the limit to which the memory is reduced when it exceeds the limit. */
const kept = 3 / 4

/**
 * Limits the memory of a node for the newest entries of all organizations. When they take too much, the organizations whose entries
 * were used least recently forget theirs, and queues that have fallen behind there read the log.
 *
 * The size of all entries is counted from time to time, rather than kept as a sum, so an organization that leaves memory need not
 * subtract its own.
 */
export class EventMemory {
  private uncounted = 0
  private uses = 0
  private readonly all: () => RecentEntries[]

  constructor(all: () => RecentEntries[]) {
    this.all = all
  }

  /** Notes that entries take this many more bytes. */
  grow(bytes: number) {
    this.uncounted += bytes
    if (this.uncounted < queueLimits.eventBytesOfNode * countedAgainAfter) return
    this.uncounted = 0
    this.count()
  }

  /** Returns a number for a use of entries, higher than for any use before. */
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
