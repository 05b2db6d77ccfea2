import { setImmediate as others } from 'node:timers/promises'
import { ignore } from '../guard.ts'

/**
 * Work whose result is the same for all callers. Callers that come while a run is under way share the next run, and so do those whose requests
 * have arrived together.
 */
export class Shared<Result> {
  private readonly work: () => Promise<Result>
  private current: Promise<unknown> = Promise.resolve()
  private next: Promise<Result> | undefined

  constructor(work: () => Promise<Result>) {
    this.work = work
  }

  /** Resolves when a run that began after this call is over, with its result. */
  run(): Promise<Result> {
    this.next ??= this.begin()
    return this.next
  }

  private async begin() {
    await this.current.catch(ignore)
    await others()
    this.next = undefined
    const run = this.work()
    this.current = run
    return run
  }
}
