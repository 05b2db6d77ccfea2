import type { Logger } from 'pino'
import { componentError, reasonOf } from '../lib/component.ts'
import { logLimits } from './limits.ts'

/** Of one failure: when it was last logged, and how often it has occurred since. */
type Known = { at: number; since: number }

/**
 * Logs failures in the background, where work is retried every few seconds: each failure once, and while it continues
 * once in a while, with its count. An unavailable component is one failure, whatever work it prevents.
 */
export class Failures {
  private readonly logger: Logger
  private readonly now: () => number
  private readonly known = new Map<string, Known>()

  /** `now` in seconds. */
  constructor(logger: Logger, now = () => performance.now() / 1000) {
    this.logger = logger
    this.now = now
  }

  /** Returns the handler for the failures of one kind of work; `what` names the work in the log. */
  of(what: string): (error: unknown) => void {
    return (error) => this.take(what, error)
  }

  private take(what: string, error: unknown) {
    const text = error instanceof Error ? error.message : String(error)
    const failed = componentError(error)
    const times = this.count(failed ? failed.component : `${what}: ${text}`)
    if (times === 0) return
    if (failed) {
      const { component } = failed
      this.logger.error({ component, times }, `The ${component} failed: ${reasonOf(failed)}`)
    } else if (times === 1) this.logger.error({ err: error }, what)
    else this.logger.error({ times }, `${what}: ${text}`)
  }

  /** Returns how often it has occurred since it was last logged; 0 if it need not be logged again yet. */
  private count(name: string): number {
    const now = this.now()
    const before = this.known.get(name)
    if (before && now - before.at < logLimits.failureSilenceSeconds) {
      before.since++
      return 0
    }
    this.known.delete(name)
    if (this.known.size >= logLimits.failuresKnown) this.known.delete(this.known.keys().next().value!)
    this.known.set(name, { at: now, since: 0 })
    return 1 + (before?.since ?? 0)
  }
}
