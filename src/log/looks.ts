import { Shared } from '../lib/shared.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import type { Head } from './batched-write.ts'
import { logLimits } from './limits.ts'
import { readHead } from './load.ts'
import type { RealmLog } from './realm-log.ts'

/** The end of the log in the database, and where this node was when it looked. */
type Look = Head & { from: number }

/** The part of an organization's log that looks need. */
type Followed = Pick<RealmLog, 'database' | 'state' | 'isAt' | 'readUnless'>

/** Looks whether other nodes have written in an organization: for many callers with one query. */
export class Looks {
  private readonly log: Followed
  private seen: Look | undefined
  private readonly looking = new Shared(async () => {
    const { database, state } = this.log
    const { id, position } = state
    this.seen = { ...(await database.whereOpen((read) => readHead(read, id))), from: position }
    return this.seen
  })
  private readonly reading = new Shared(() =>
    this.log.readUnless(() => this.seen !== undefined && this.has(this.seen)),
  )
  /** Called when entries have been folded in. */
  private readonly waiting = new Set<() => unknown>()

  constructor(log: Followed) {
    this.log = log
  }

  /** Reads what there is. */
  async read(): Promise<void> {
    const look = await this.looking.run()
    if (!this.has(look)) await this.reading.run()
  }

  /**
   * Does the same, but waits only a moment for the writes of this node that come first. Returns whether this node has
   * everything that the database had when this was called.
   */
  async readSoon(): Promise<boolean> {
    const look = await this.looking.run()
    // The log is often ahead only by a write of this node that is about to be folded in.
    if (!this.has(look)) await withTimeout(logLimits.lookMs / 1000, this.untilItHas(look))
    return this.has(look)
  }

  /** Notes that entries have been folded in. */
  noteEntries() {
    for (const check of this.waiting) check()
  }

  /** Resolves as soon as that has been folded in, by whatever write, or cannot be read. */
  private untilItHas(look: Look): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.waiting.delete(check)
        resolve()
      }
      const check = () => this.has(look) && settle()
      this.waiting.add(check)
      this.reading.run().then(settle, settle)
    })
  }

  /** Whether this node has everything that a look has seen. The state can go past that only if it continues it. */
  private has(look: Look): boolean {
    const { epoch, position } = this.log.state
    const isPast = look.epoch === epoch && look.from <= look.lastEventId && look.lastEventId < position
    return isPast || this.log.isAt(look)
  }
}
