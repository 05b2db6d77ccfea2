import type { Realms } from '../log/realms.ts'
import { jobLimits } from './limits.ts'

/**
 * Says which organizations a node has to look at: those in which something was committed since the last look, so that
 * thousands of others cost nothing. Once in a while it says all, for what a node that has ended has left behind.
 */
export class Attention {
  private readonly clock: () => number
  private touched = new Set<number>()
  private allAgainAt = Number.NEGATIVE_INFINITY
  private allAt = Number.NEGATIVE_INFINITY

  /** `clock`: seconds. A test that lets time pass has all looked at. */
  constructor(realms: Pick<Realms, 'onActivity'>, clock: () => number) {
    this.clock = clock
    realms.onActivity((realmId) => this.note(realmId))
  }

  note(realmId: number) {
    this.touched.add(realmId)
  }

  /** Has the next look be at all. */
  noteAll() {
    this.allAgainAt = Number.NEGATIVE_INFINITY
  }

  /** Returns the organizations of the next look; undefined: all. A look that fails must call noteAll. */
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
