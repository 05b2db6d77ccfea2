import { groupBy } from '../lib/collections/group-by.ts'
import type { ClientEvent, Entry } from '../log/entry.ts'
import { logLimits } from '../log/limits.ts'
import { readEntries } from '../log/load.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { EventTypes } from './event-type.ts'
import { queueLimits } from './limits.ts'
import { type RememberedEntry, rememberedEntry } from './recent-entries.ts'

/** Entries without a gap that one query has read, and the reading of those bodies that callers have asked for. */
type Run = { entries: RememberedEntry[]; bodies: Map<RememberedEntry, Promise<void>> }

/**
 * Reads entries from an organization's log for queues that have fallen behind the entries in memory. Thousands of clients may return
 * at the same moment, so those that ask while a query is under way share its result. Nothing is kept afterwards.
 */
export class SharedLog {
  private readonly log: RealmLog
  private readonly types: EventTypes
  /** The queries under way, by the number after which they read. */
  private readonly underWay = new Map<number, Promise<Run>>()
  /** A lower bound of the log's first number: older entries have been removed. */
  private beginsAt = 0

  constructor(log: RealmLog, types: EventTypes) {
    this.log = log
    this.types = types
  }

  /**
   * Returns the entries that follow a number, without a gap, with the bodies of those that concern the caller: as many as can be
   * read together. Returns undefined if the next entry has been removed.
   */
  async after(after: number, isConcerned: (entry: Entry) => boolean): Promise<RememberedEntry[] | undefined> {
    const others = this.underWayFor(after)
    let run = others && (await others)
    if (after + 1 < this.beginsAt) return undefined
    if (!run?.entries.some(({ id }) => id > after)) run = await this.begin(after)
    if (after + 1 < this.beginsAt) return undefined
    const following = run.entries.filter(({ id }) => id > after)
    const entries = await this.firstFew(following, isConcerned)
    await this.addBodies(run, entries.filter(isConcerned))
    return entries
  }

  /** Returns the entries with copies of the outdated ones whose bodies are read again: as many as can be read together. */
  async renew(
    remembered: RememberedEntry[],
    isOutdated: (entry: RememberedEntry) => boolean,
  ): Promise<RememberedEntry[]> {
    if (!remembered.some(isOutdated)) return remembered
    const entries = await this.firstFew(remembered, isOutdated)
    const outdated = entries.filter(isOutdated)
    const renewed = new Map(outdated.map((entry) => [entry.id, { ...entry, shapes: new Map() }]))
    await this.complete([...renewed.values()])
    return entries.map((entry) => renewed.get(entry.id) ?? entry)
  }

  /** Adds the bodies to entries that were read from the log, which does not store them. */
  async complete(entries: Entry[]) {
    for (const [name, group] of groupBy(entries, (entry) => entry.type)) {
      const type = this.types.get(name)
      if (!type?.bodies) continue
      const events = group.map(({ event }) => event as ClientEvent)
      const bodies = await type.bodies(this.log.database.read, this.log.state, events)
      for (const [i, entry] of group.entries()) entry.body = bodies[i]
    }
  }

  /**
   * Returns the entries up to where the bodies that are wanted become too long to be read together: messages with all their earlier
   * versions may take the memory of the node.
   */
  private async firstFew<E extends Entry>(entries: E[], isWanted: (entry: E) => boolean): Promise<E[]> {
    const wanted = entries.filter((entry) => this.types.get(entry.type)?.sizes && isWanted(entry))
    if (wanted.length <= queueLimits.bodiesOfAnySize) return entries
    const sizes = new Map<number, number>()
    for (const [name, group] of groupBy(wanted, (entry) => entry.type)) {
      const events = group.map(({ event }) => event as ClientEvent)
      const found = await this.types.get(name)?.sizes?.(this.log.database.read, this.log.state, events)
      for (const [i, { id }] of group.entries()) sizes.set(id, found?.[i] ?? 0)
    }
    let [bytes, count] = [0, 0]
    const end = entries.findIndex(({ id }) => {
      const size = sizes.get(id)
      if (size !== undefined) count += 1
      bytes += size ?? 0
      return bytes > queueLimits.bodyBytesPerRead && count > 1
    })
    return end < 0 ? entries : entries.slice(0, end)
  }

  /** Returns the query under way that reads the entry after a number, if there is one: of several, the one that begins last. */
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
    return { entries: entries.map((entry) => rememberedEntry(entry)), bodies: new Map() }
  }

  /** Reads the bodies that no other caller has asked for yet, and waits until all are there. */
  private async addBodies({ bodies }: Run, entries: RememberedEntry[]) {
    const missing = entries.filter((entry) => !bodies.has(entry))
    if (missing.length > 0) {
      const reading = this.complete(missing)
      for (const entry of missing) bodies.set(entry, reading)
    }
    await Promise.all(new Set(entries.map((entry) => bodies.get(entry))))
  }
}
