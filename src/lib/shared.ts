import { ignore } from './guard.ts'

/** Work that is the same for all who ask: those who come while it is under way share the next run, which then follows. */
export class Shared {
  private readonly work: () => Promise<void>
  private current: Promise<void> = Promise.resolve()
  private next: Promise<void> | undefined

  constructor(work: () => Promise<void>) {
    this.work = work
  }

  /** Resolves when a run is over that began after this was called. */
  run(): Promise<void> {
    this.next ??= this.current.catch(ignore).then(() => {
      this.next = undefined
      this.current = this.work()
      return this.current
    })
    return this.next
  }
}
