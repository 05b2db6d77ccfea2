import { firstIn, lastIn } from '../lib/must.ts'
import type { Site } from '../lib/site.ts'
import type { ClientEvent, Entry } from '../log/entry.ts'
import type { RealmLog } from '../log/realm-log.ts'
import { candidatesIn, isInAudience, isPublicMessage } from './audience.ts'
import { badEventQueue } from './errors.ts'
import type { EventMemory } from './event-memory.ts'
import type { EventType, EventTypes, Listener } from './event-type.ts'
import { LaterOffers } from './later-offers.ts'
import { queueLimits } from './limits.ts'
import { mayEndLogins } from './logins-that-end.ts'
import { type Delivered, type Queue, wants } from './queue.ts'
import { endsBy } from './queue-end.ts'
import { forDelivery, RecentEntries, type Remembered } from './recent-entries.ts'
import { SharedLog } from './shared-log.ts'
import { StepSize } from './step-size.ts'

/** A client that waits for the next events of its queue. */
export type Waiter = {
  queue: Queue
  isStream: boolean
  /** Undefined: it must collect its events again, those after a number if one is given. */
  wake(events: Delivered[] | undefined, after?: number): void
  /** Whether its login still holds. */
  isAllowed(): boolean
  /** Ends the wait without an event. */
  end(): void
  /** Does so a little later, as another client has taken over its queue. It is woken no more. */
  giveWay(): void
}

/** The events that a queue receives, with their size. Everything up to `reached` has been examined. `isEnd`: there the queue ends. */
type Found = { events: Delivered[]; bytes: number; reached: number; isEnd: boolean }

function isFull({ events, bytes, isEnd }: Found) {
  return isEnd || events.length >= queueLimits.eventsPerAnswer || bytes >= queueLimits.eventBytesPerAnswer
}

/** Brings the log of one organization to the queues of this node. */
export class Delivery {
  private readonly log: RealmLog
  private readonly types: EventTypes
  private readonly site: Site
  private older: SharedLog
  /** The newest entries, up to the state's position. */
  readonly recent: RecentEntries
  private readonly waiting = new Map<number, Set<Waiter>>()
  private readonly waitingForPublic = new Set<Waiter>()
  private readonly later = new LaterOffers<Waiter>((waiter, after, step) => this.offer(waiter, after, step))
  /** Up to here, clients that wait have been offered everything, if they have no turn. */
  private offeredUpTo: number

  constructor(log: RealmLog, types: EventTypes, site: Site, memory: EventMemory) {
    this.log = log
    this.types = types
    this.site = site
    this.older = new SharedLog(log, types)
    this.recent = new RecentEntries(memory)
    this.offeredUpTo = log.state.position
  }

  /** Reads the bodies of the entries that come without one. */
  async complete(entries: Entry[]) {
    await this.older.complete(entries)
  }

  /**
   * Remembers new entries and offers them to waiting clients: immediately as far as a first step goes, and then in later steps. Calls
   * `delivered` after the last of them, if any got something immediately.
   */
  accept(entries: Entry[], delivered: () => void) {
    const remembered = entries.map(forDelivery)
    this.outdate(entries)
    this.recent.add(remembered)
    this.offeredUpTo = lastIn(remembered).id
    if (this.waiting.size === 0) return
    if (mayEndLogins(entries, this.log.state)) this.endRefused()
    const news = this.firstStep(remembered)
    for (const [waiter, events] of news ?? []) waiter.wake(events)
    if (news?.size !== 0) this.later.whenOver(delivered)
  }

  /** Ends the waits of clients whose login has ended: they learn of it when they ask again. */
  private endRefused() {
    for (const waiters of [...this.waiting.values()])
      for (const waiter of [...waiters]) if (!waiter.isAllowed()) waiter.end()
  }

  /**
   * Forgets all entries: the state has been reloaded, and these do not lead to it. Clients that wait collect their events again, in
   * later steps.
   */
  reload() {
    this.recent.clear()
    this.older = new SharedLog(this.log, this.types)
    this.offerLater(this.offeredUpTo)
    this.offeredUpTo = this.log.state.position
  }

  /** Gives all clients that wait a turn at which they are offered what comes after a number. Others of them have one already. */
  private offerLater(after: number): undefined {
    for (const waiters of this.waiting.values())
      for (const waiter of waiters) if (!this.later.has(waiter)) this.later.add(waiter, after)
  }

  park(waiter: Waiter) {
    const { userId, options } = waiter.queue
    const others = this.waiting.get(userId)
    if (others) others.add(waiter)
    else this.waiting.set(userId, new Set([waiter]))
    if (options.allPublicChannels) this.waitingForPublic.add(waiter)
  }

  /** What the waiter is yet to be offered, it must collect. */
  unpark(waiter: Waiter) {
    this.later.remove(waiter)
    const others = this.waiting.get(waiter.queue.userId)
    others?.delete(waiter)
    if (others?.size === 0) this.waiting.delete(waiter.queue.userId)
    this.waitingForPublic.delete(waiter)
  }

  /** Returns the number up to which a waiter has been offered everything. */
  offeredTo(waiter: Waiter): number {
    return this.later.afterOf(waiter) ?? this.offeredUpTo
  }

  /**
   * Returns the queue's events after a number, oldest first, and their extent: everything up to `reached` has been
   * examined. Normally from memory; from the log for a queue that has fallen behind.
   */
  async collect(queue: Queue, after: number): Promise<Found> {
    const found: Found = { events: [], bytes: 0, reached: after, isEnd: false }
    while (found.reached < this.log.state.position && !isFull(found)) {
      const remembered = this.recent.after(found.reached)
      const entries = remembered
        ? await this.renew(remembered, queue)
        : await this.fromLog(queue, found.reached)
      if (entries.length === 0) break
      this.find(entries, queue, found)
    }
    if (found.isEnd && found.events.length === 0) throw badEventQueue(queue.id)
    return found
  }

  /** Adds what a queue receives of the next entries. */
  private find(entries: Remembered[], queue: Queue, found: Found) {
    for (const entry of entries) {
      if (isFull(found)) break
      const isConcerned = this.concerns(entry, queue)
      found.isEnd = isConcerned && endsBy(entry, queue)
      if (found.isEnd) break
      const event = isConcerned ? this.shape(entry, queue) : undefined
      if (event) found.events.push(event)
      found.bytes += event?.json.length ?? 0
      found.reached = entry.id
    }
  }

  /**
   * Offers a waiter all entries after a number. It must collect them if some are outdated or no longer here, or if they are more than
   * one response may have.
   */
  private offer(waiter: Waiter, after: number, step: StepSize) {
    const { queue } = waiter
    const entries = this.recent.after(after)
    step.checks += entries?.length ?? 1
    if (!entries || this.outdatedFor(queue, entries).length > 0) return waiter.wake(undefined, after)
    const found: Found = { events: [], bytes: 0, reached: after, isEnd: false }
    this.find(entries, queue, found)
    step.bytes += found.bytes
    if (found.reached < lastIn(entries).id) waiter.wake(undefined, after)
    else if (found.events.length > 0) waiter.wake(found.events)
  }

  /**
   * Returns what clients get immediately. Others to whom it comes have turns then. If it is too much of several entries, all clients
   * have turns: one that got a part would return for the rest at the same time as the others.
   */
  private firstStep(entries: Remembered[]): Map<Waiter, Delivered[]> | undefined {
    const news = new Map<Waiter, Delivered[]>()
    const step = StepSize.ofFirst()
    for (const entry of entries) {
      this.gather(entry, news, step)
      if (step.isLarge && entries.length > 1) return this.offerLater(firstIn(entries).id - 1)
    }
    return news
  }

  private gather(entry: Remembered, news: Map<Waiter, Delivered[]>, step: StepSize) {
    const { audience, event } = entry
    const { state } = this.log
    if (!audience || !event) return
    const add = (waiter: Waiter) => {
      // It is offered this entry, too, when its turn comes.
      if (!isFor(entry, waiter.queue) || this.later.has(waiter)) return
      const events = news.get(waiter)
      const isLate = step.isOver && !events
      if (isLate || endsBy(entry, waiter.queue)) return this.later.add(waiter, entry.id - 1)
      step.checks += 1
      const shaped = this.shape(entry, waiter.queue)
      if (!shaped) return
      if (events) events.push(shaped)
      else news.set(waiter, [shaped])
      step.clients = news.size
      step.bytes += shaped.json.length
    }
    const told = new Set<Waiter>()
    for (const waiters of candidatesIn(state, audience, this.waiting)) {
      // All these waiters belong to one user, who may have very many.
      const [first] = waiters
      if (!first || !isInAudience(state, audience, first.queue.userId)) continue
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
  private concerns(entry: Entry, queue: Queue): boolean {
    const { state } = this.log
    const { audience } = entry
    if (!audience || !isFor(entry, queue)) return false
    if (isInAudience(state, audience, queue.userId)) return true
    return queue.options.allPublicChannels && isPublicMessage(state, audience)
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
    const outdated = this.outdatedFor(queue, entries)
    if (outdated.length === 0) return entries
    const renewed = new Map(outdated.map((entry) => [entry.id, { ...entry, shapes: new Map() }]))
    await this.complete([...renewed.values()])
    return entries.map((entry) => renewed.get(entry.id) ?? entry)
  }

  private outdatedFor(queue: Queue, entries: Remembered[]): Remembered[] {
    return entries.filter((entry) => entry.isOutdated && this.concerns(entry, queue))
  }

  private async fromLog(queue: Queue, after: number): Promise<Remembered[]> {
    const entries = await this.older.after(after, (entry) => this.concerns(entry, queue))
    // The queue is older than the log: the client's missed events are deleted, so it must register anew.
    if (!entries) throw badEventQueue(queue.id)
    // Entries that this node has not folded yet are found by the next collection.
    return entries.filter(({ id }) => id <= this.log.state.position)
  }
}

/** Whether a queue asked for events like this one. */
function isFor(entry: Entry, queue: Queue): boolean {
  return entry.type === 'queue_end' ? endsBy(entry, queue) : wants(queue, entry.type)
}
