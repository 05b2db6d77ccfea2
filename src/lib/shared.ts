import { setImmediate as others } from 'node:timers/promises'
import { ignore } from './guard.ts'

/**
 * Work that is the same for all callers: callers that come while a run is under way share the next run, as do those whose
 * requests have arrived together.
 */
export class Shared {
  private readonly work: () => Promise<void>
  private current: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.work = work
  }

  /** Resolves when a run that began after this call is over. */
  run(): Promise<void> {
    this.next ??= this.begin()
    return this.next
  }

  private async begin() {
    await this.current.catch(ignore)
    await others()
    this.next = undefined
    this.current = this.work()
    return this.current
  }
}
