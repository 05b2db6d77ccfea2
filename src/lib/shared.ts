import { ignore } from './guard.ts'

/** Work that is the same for all callers: callers that come while a run is under way share the next run. */
export class Shared {
  private readonly work: () => Promise<void>
  private current: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.work = work
  }

  /** Resolves when a run that began after this call is over. */
  run(): Promise<void> {
    this.next ??= this.current.catch(ignore).then(() => {
      this.next = undefined
      this.current = this.work()
      return this.current
    })
    return this.next
  }
}
