import type { Reader } from '../db/database.ts'
import { groupBy } from '../lib/group-by.ts'
import type { Site } from '../lib/site.ts'
import type { ClientEvent, Entry } from '../log/entry.ts'
import { logLimits } from '../log/limits.ts'
import { readEntries } from '../log/load.ts'
import type { RealmLog } from '../log/realm-log.ts'
import { concerned, hears, isPublicMessage } from './audience.ts'
import { badEventQueue } from './errors.ts'
import type { EventType, EventTypes, Listener } from './event-type.ts'
import { queueLimits } from './limits.ts'
import { type Delivered, type Queue, wants } from './queue.ts'
import { forDelivery, RecentEntries, type Remembered } from './recent-entries.ts'

/** A client that waits for the next events of its queue. */
export type Waiter = {
  queue: Queue
  isStream: boolean
  /** Undefined: it must collect its events again. */
  wake(events: Delivered[] | undefined): void
  /** Ends the wait without an event. */
  end(): void
  /** Does so a little later, as another client has taken over its queue. It is woken no more. */
  giveWay(): void
}

/** Brings the log of one organization to the queues of this node. */
export class Delivery {
  private readonly log: RealmLog
  private readonly types: EventTypes
  private readonly read: Reader
  private readonly site: Site
  /** The newest entries, up to the state's position. */
  private readonly recent = new RecentEntries()
  private readonly waiting = new Map<number, Set<Waiter>>()
  private readonly waitingForPublic = new Set<Waiter>()

  constructor(log: RealmLog, read: Reader, types: EventTypes, site: Site) {
    this.log = log
    this.read = read
    this.types = types
    this.site = site
  }

  /** Reads the bodies of the entries that come without one. */
  async complete(entries: Entry[]) {
    for (const [name, group] of groupBy(entries, (entry) => entry.type)) {
      const type = this.types.get(name)
      if (!type?.bodies) continue
      const events = group.map(({ event }) => event as ClientEvent)
      const bodies = await type.bodies(this.read, this.log.state, events)
      for (const [i, entry] of group.entries()) entry.body = bodies[i]
    }
  }

  /** Remembers new entries and notifies waiting clients; returns how many. */
  accept(entries: Entry[]): number {
    const remembered = entries.map(forDelivery)
    this.outdate(entries)
    this.recent.add(remembered)
    if (this.waiting.size === 0) return 0
    const news = new Map<Waiter, Delivered[]>()
    for (const entry of remembered) this.gather(entry, news)
    for (const [waiter, events] of news) waiter.wake(events)
    return news.size
  }

  /** Forgets all entries: the state has been reloaded, and these do not lead to it. */
  clear() {
    this.recent.clear()
  }

  park(waiter: Waiter) {
    const { userId, options } = waiter.queue
    const others = this.waiting.get(userId)
    if (others) others.add(waiter)
    else this.waiting.set(userId, new Set([waiter]))
    if (options.allPublicChannels) this.waitingForPublic.add(waiter)
  }

  unpark(waiter: Waiter) {
    const others = this.waiting.get(waiter.queue.userId)
    others?.delete(waiter)
    if (others?.size === 0) this.waiting.delete(waiter.queue.userId)
    this.waitingForPublic.delete(waiter)
  }

  /**
   * Returns the queue's events after a number, oldest first, and their extent: everything up to `reached` has been
   * examined. Normally from memory; from the log for a queue that has fallen behind.
   */
  async collect(queue: Queue, after: number): Promise<{ events: Delivered[]; reached: number }> {
    let reached = after
    let bytes = 0
    const events: Delivered[] = []
    const isFull = () =>
      events.length >= queueLimits.eventsPerAnswer || bytes >= queueLimits.eventBytesPerAnswer
    while (reached < this.log.state.position && !isFull()) {
      const remembered = this.recent.after(reached)
      const entries = remembered ? await this.renew(remembered, queue) : await this.fromLog(queue, reached)
      if (entries.length === 0) break
      for (const entry of entries) {
        if (isFull()) break
        const event = this.concerns(entry, queue) ? this.shape(entry, queue) : undefined
        if (event) events.push(event)
        bytes += event?.json.length ?? 0
        reached = entry.id
      }
    }
    return { events, reached }
  }

  private gather(entry: Remembered, news: Map<Waiter, Delivered[]>) {
    const { audience, event, type } = entry
    const { state } = this.log
    if (!audience || !event) return
    const add = (waiter: Waiter) => {
      const shaped = wants(waiter.queue, type) ? this.shape(entry, waiter.queue) : undefined
      if (!shaped) return
      const events = news.get(waiter)
      if (events) events.push(shaped)
      else news.set(waiter, [shaped])
    }
    const told = new Set<Waiter>()
    for (const waiters of concerned(state, audience, this.waiting)) {
      // All these waiters belong to one user, who may have very many.
      const [first] = waiters
      if (!first || !hears(state, audience, first.queue.userId)) continue
      for (const waiter of waiters) {
        told.add(waiter)
        add(waiter)
      }
    }
    if (this.waitingForPublic.size === 0 || !isPublicMessage(state, audience)) return
    for (const waiter of this.waitingForPublic) if (!told.has(waiter)) add(waiter)
  }

  /** Returns the event as this queue receives it; undefined if it does not. */
  private shape(entry: Remembered, queue: Queue): Delivered | undefined {
    const { event, body } = entry
    const { state } = this.log
    const me = state.users.get(queue.userId)
    if (!event || !me?.is_active) return undefined
    const type = this.types.get(entry.type)
    // The object of an event may be deleted.
    if (type?.bodies && body === undefined) return undefined
    try {
      if (!type)
        throw new Error(`The log has an event of a type that this version does not know: ${entry.type}`)
      return this.shapeFor(entry, event, type, { state, me, queue, site: this.site })
    } catch (error) {
      // A fault in one event type must not prevent its sender's response, nor a queue's later events.
      process.emitWarning(error instanceof Error ? error : String(error))
      return undefined
    }
  }

  private shapeFor(entry: Remembered, event: ClientEvent, type: EventType, listener: Listener) {
    const { body } = entry
    if (listener.queue.options.narrow.length > 0 && type.passesNarrow?.(event, listener, body) === false)
      return
    const variant = type.variant ? type.variant(event, listener, body) : ''
    if (variant === null) return undefined
    const known = entry.shapes.get(variant)
    if (known) return known
    const wire = type.wire ? type.wire(event, listener, body) : event
    return this.recent.addShape(entry, variant, JSON.stringify({ ...wire, id: entry.id }))
  }

  /** Whether an entry is for this queue: of a type that it wants, and for its user. */
  private concerns({ type, audience }: Entry, queue: Queue): boolean {
    const { state } = this.log
    if (!audience || !wants(queue, type)) return false
    const { userId, options } = queue
    return hears(state, audience, userId) || (options.allPublicChannels && isPublicMessage(state, audience))
  }

  /** Marks entries about changed messages as outdated: the messages may no longer be accessible to all recipients. */
  private outdate(entries: Entry[]) {
    const changed = new Set(
      entries.flatMap(({ type, event }) => (event && this.types.get(type)?.changes?.(event)) ?? []),
    )
    if (changed.size === 0) return
    for (const entry of this.recent) {
      const about = entry.event && this.types.get(entry.type)?.about?.(entry.event)
      if (about?.some((id) => changed.has(id))) entry.isOutdated = true
    }
  }

  /** Returns the entries, with outdated ones made anew. */
  private async renew(entries: Remembered[], queue: Queue): Promise<Remembered[]> {
    const outdated = entries.filter((entry) => entry.isOutdated && this.concerns(entry, queue))
    if (outdated.length === 0) return entries
    const renewed = new Map(outdated.map((entry) => [entry.id, { ...entry, shapes: new Map() }]))
    await this.complete([...renewed.values()])
    return entries.map((entry) => renewed.get(entry.id) ?? entry)
  }

  private async fromLog(queue: Queue, after: number): Promise<Remembered[]> {
    const { state } = this.log
    const entries = await readEntries(this.read, queue.realmId, after, logLimits.entriesPerRead)
    // The queue is older than the log: the client's missed events are deleted, so it must register anew.
    if (entries[0]?.id !== after + 1) throw badEventQueue(queue.id)
    await this.complete(entries.filter((entry) => this.concerns(entry, queue)))
    // Entries that this node has not folded yet are found by the next collection.
    return entries.filter(({ id }) => id <= state.position).map((entry) => forDelivery(entry))
  }
}
