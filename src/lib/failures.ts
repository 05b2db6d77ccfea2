import type { Logger } from 'pino'
import { type ComponentError, componentError, reasonOf } from './component.ts'
import { messageOf } from './errors.ts'
import { libLimits } from './limits.ts'
import type { Observer } from './observer.ts'

/** A failure that was logged. `at`: when its lines were last counted anew, in seconds; then how many were written, and how many omitted. */
type Known = { at: number; lines: number; omitted: number }

type Options = {
  observer?: Pick<Observer, 'failed'> | undefined
  /** In seconds. */
  now?: () => number
}

/** What a line of the log says of the work that failed, apart from the error. */
export type FailedWork = Readonly<Record<string, string | number>>

/**
 * Logs failures of work that is retried every few seconds, or that many requests have in common: each failure once, and
 * while it continues once in a while, with its count. An unavailable component is one failure, whatever work it prevents.
 */
export class Failures {
  private readonly logger: Pick<Logger, 'warn' | 'error'>
  private readonly observer: Pick<Observer, 'failed'> | undefined
  private readonly now: () => number
  private readonly known = new Map<string, Known>()

  constructor(logger: Pick<Logger, 'warn' | 'error'>, { observer, now = uptime }: Options = {}) {
    this.logger = logger
    this.observer = observer
    this.now = now
  }

  /** Returns the handler for the failures of one kind of work in the background; `what` names the work in the log. */
  of(what: string): (error: unknown, work?: FailedWork) => void {
    return (error, work) => this.take(what, error, work)
  }

  /** Logs that a component failed a request: some lines a minute, so that the first requests can be found by their ids. */
  ofRequest(work: FailedWork, error: ComponentError) {
    const { component } = error
    this.observer?.failed(component)
    const times = this.count(`request ${component}`, libLimits.failuresOfRequests)
    if (times > 0) this.logger.warn({ ...work, component, times }, lineOf(error))
  }

  private take(what: string, error: unknown, work?: FailedWork) {
    const text = messageOf(error)
    const failed = componentError(error)
    this.observer?.failed(failed ? failed.component : 'server')
    const times = this.count(failed ? failed.component : `${what}: ${text}`, 1)
    if (times === 0) return
    if (failed) this.logger.error({ ...work, component: failed.component, times }, lineOf(failed))
    else if (times === 1) this.logger.error({ ...work, err: error }, what)
    else this.logger.error({ ...work, times }, `${what}: ${text}`)
  }

  /** Returns how often a failure has occurred since it was last logged; 0 if it need not be logged now. `lines`: how many it may have a minute. */
  private count(name: string, lines: number): number {
    const now = this.now()
    const before = this.known.get(name)
    if (before && now - before.at < libLimits.failureSilenceSeconds) {
      before.lines++
      if (before.lines <= lines) return 1
      before.omitted++
      return 0
    }
    this.known.delete(name)
    if (this.known.size >= libLimits.failuresKnown) this.known.delete(this.known.keys().next().value!)
    this.known.set(name, { at: now, lines: 1, omitted: 0 })
    return 1 + (before?.omitted ?? 0)
  }
}

/** Returns what the log says of a failed component. */
function lineOf(error: ComponentError): string {
  return `The ${error.component} failed: ${reasonOf(error)}`
}

function uptime(): number {
  return performance.now() / 1000
}
