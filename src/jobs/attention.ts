import type { Realms } from '../log/realms.ts'
import { jobLimits } from './limits.ts'

/**
 * Tracks which organizations a node must check: those with a commit since the last check, so that thousands of idle ones cost nothing.
 * Once in a while it names all of them, to find work that a crashed node has left behind.
 */
export class Attention {
  private readonly clock: () => number
  private touched = new Set<number>()
  private allAgainAt = Number.NEGATIVE_INFINITY
  private allAt = Number.NEGATIVE_INFINITY

  /** `clock` returns seconds since 1970. A test that lets time pass makes the next check cover all organizations. */
  constructor(realms: Pick<Realms, 'onActivity'>, clock: () => number) {
    this.clock = clock
    realms.onActivity((realmId) => this.note(realmId))
  }

  /** Makes the next check cover this organization. */
  note(realmId: number) {
    this.touched.add(realmId)
  }

  /** Makes the next check cover all organizations. */
  noteAll() {
    this.allAgainAt = Number.NEGATIVE_INFINITY
  }

  /** Returns the organizations to check now; undefined means all. If the check fails, call noteAll. */
  take(): number[] | undefined {
    const touched = [...this.touched]
    this.touched = new Set()
    const now = this.clock()
    const isLate = performance.now() - this.allAt >= jobLimits.allSeconds * 1000
    if (!isLate && now < this.allAgainAt) return touched
    this.allAgainAt = now + jobLimits.allSeconds
    this.allAt = performance.now()
    return undefined
  }
}
