import { groupBy } from '../lib/collections/group-by.ts'
import type { ClientEvent, Entry } from '../log/entry.ts'
import { logLimits } from '../log/limits.ts'
import { readEntries } from '../log/load.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { EventTypes } from './event-type.ts'
import { forDelivery, type Remembered } from './recent-entries.ts'

/** A run of entries without a gap that one query has read, with the bodies that were asked for. */
type Run = { entries: Remembered[]; bodies: Map<Remembered, Promise<void>> }

/**
 * Reads entries from an organization's log for queues that have fallen behind what memory has. Thousands of clients return at the
 * same moment, so those that ask while a query is under way share it, and what it finds. Nothing is kept afterwards.
 */
export class SharedLog {
  private readonly log: RealmLog
  private readonly types: EventTypes
  /** The queries under way, by the number after which they read. */
  private readonly underWay = new Map<number, Promise<Run>>()
  /** No entry before this number is in the log any more: it may begin later. */
  private beginsAt = 0

  constructor(log: RealmLog, types: EventTypes) {
    this.log = log
    this.types = types
  }

  /**
   * Returns the entries that follow a number, without a gap, with the bodies of those that concern the caller. Returns undefined if
   * the next entry has been removed.
   */
  async after(after: number, isConcerned: (entry: Entry) => boolean): Promise<Remembered[] | undefined> {
    const others = this.underWayFor(after)
    let run = others && (await others)
    if (after + 1 < this.beginsAt) return undefined
    if (!run?.entries.some(({ id }) => id > after)) run = await this.begin(after)
    if (after + 1 < this.beginsAt) return undefined
    const entries = run.entries.filter(({ id }) => id > after)
    await this.addBodies(run, entries.filter(isConcerned))
    return entries
  }

  /** Reads the bodies of the entries that come without one. */
  async complete(entries: Entry[]) {
    for (const [name, group] of groupBy(entries, (entry) => entry.type)) {
      const type = this.types.get(name)
      if (!type?.bodies) continue
      const events = group.map(({ event }) => event as ClientEvent)
      const bodies = await type.bodies(this.log.database.read, this.log.state, events)
      for (const [i, entry] of group.entries()) entry.body = bodies[i]
    }
  }

  /** Returns a query that reads what follows a number, if one is under way: the one that begins last. */
  private underWayFor(after: number): Promise<Run> | undefined {
    const starts = [...this.underWay.keys()].filter(
      (start) => start <= after && after < start + logLimits.entriesPerRead,
    )
    return this.underWay.get(Math.max(...starts))
  }

  private begin(after: number): Promise<Run> {
    const same = this.underWay.get(after)
    if (same) return same
    const run = this.readRun(after).finally(() => this.underWay.delete(after))
    this.underWay.set(after, run)
    return run
  }

  private async readRun(after: number): Promise<Run> {
    const { id, position } = this.log.state
    const entries = await readEntries(this.log.database.read, id, after, logLimits.entriesPerRead)
    // Numbers have no gaps, and the oldest entries are removed first.
    const first = entries[0]?.id ?? position + 1
    if (first > after + 1) this.beginsAt = Math.max(this.beginsAt, first)
    return { entries: entries.map((entry) => forDelivery(entry)), bodies: new Map() }
  }

  /** Reads the bodies that no other caller has asked for, and waits for all. */
  private async addBodies({ bodies }: Run, entries: Remembered[]) {
    const missing = entries.filter((entry) => !bodies.has(entry))
    if (missing.length > 0) {
      const reading = this.complete(missing)
      for (const entry of missing) bodies.set(entry, reading)
    }
    await Promise.all(new Set(entries.map((entry) => bodies.get(entry))))
  }
}
