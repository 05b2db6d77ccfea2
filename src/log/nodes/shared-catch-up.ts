import { Shared } from '../../lib/async/shared.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { type Head, readHead } from '../head.ts'
import { logLimits } from '../limits.ts'
import type { RealmLog } from '../realm-log.ts'

/** The end of the log in the database, and the position of this node just before it was read. */
type SeenHead = Head & { from: number }

/** The part of an organization's log that this needs. */
type Followed = Pick<RealmLog, 'database' | 'state' | 'isAt' | 'catchUpUnless'>

/** Reads what other nodes have written in an organization, with one query for all callers of the moment. */
export class SharedCatchUp {
  private readonly log: Followed
  private seen: SeenHead | undefined
  private readonly checking = new Shared(async () => {
    const { database, state } = this.log
    const { id, position } = state
    this.seen = { ...(await database.whereOpen((read) => readHead(read, id))), from: position }
    return this.seen
  })
  private readonly reading = new Shared(() =>
    this.log.catchUpUnless(() => this.seen !== undefined && this.has(this.seen)),
  )
  /** Called when entries have been folded in. */
  private readonly waiting = new Set<() => unknown>()

  constructor(log: Followed) {
    this.log = log
  }

  /** Resolves when this node has everything that the database had when this was called. */
  async run(): Promise<void> {
    const head = await this.checking.run()
    if (!this.has(head)) await this.reading.run()
  }

  /**
   * Returns whether this node has everything that the database had when this was called. Waits only a moment for the writes of this
   * node that come first.
   */
  async tryRun(): Promise<boolean> {
    const head = await this.checking.run()
    // The log is often ahead only by a write of this node that is about to be folded in.
    if (!this.has(head)) await withTimeout(logLimits.lookMs / 1000, this.untilItHas(head))
    return this.has(head)
  }

  /** Notes that entries have been folded in. */
  noteEntries() {
    for (const check of this.waiting) check()
  }

  /** Resolves as soon as everything up to this head has been folded in, by whatever write, or cannot be read. */
  private untilItHas(head: SeenHead): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.waiting.delete(check)
        resolve()
      }
      const check = () => this.has(head) && settle()
      this.waiting.add(check)
      this.reading.run().then(settle, settle)
    })
  }

  /** Whether this node has everything up to this head. The state can go past it only if it continues it. */
  private has(head: SeenHead): boolean {
    const { epoch, position } = this.log.state
    const isPast = head.epoch === epoch && head.from <= head.lastEventId && head.lastEventId < position
    return isPast || this.log.isAt(head)
  }
}
