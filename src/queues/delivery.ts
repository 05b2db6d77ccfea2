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
import { type Queue, type ShapedEvent, wants } from './queue.ts'
import { endsBy } from './queue-end.ts'
import { RecentEntries, type RememberedEntry, rememberedEntry } from './recent-entries.ts'
import { SharedLog } from './shared-log.ts'
import { StepSize } from './step-size.ts'
import type { Waiter } from './waiter.ts'

/**
 * The events that a queue receives, with their size in characters. Every entry up to `reached` has been examined. `isEnd`: the
 * next entry ends the queue.
 */
type Collected = { events: ShapedEvent[]; bytes: number; reached: number; isEnd: boolean }

function isFull({ events, bytes, isEnd }: Collected) {
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
  /** Waiting clients that have no turn have been offered every entry up to this number. */
  private offeredUpTo: number

  constructor(log: RealmLog, types: EventTypes, site: Site, memory: EventMemory) {
    this.log = log
    this.types = types
    this.site = site
    this.older = new SharedLog(log, types)
    this.recent = new RecentEntries(memory)
    this.offeredUpTo = log.state.position
  }

  /** Adds the bodies to entries that were read from the log, which does not store them. */
  async complete(entries: Entry[]) {
    await this.older.complete(entries)
  }

  /**
   * Remembers new entries and offers them to the waiting clients: to the first ones immediately, and to others in later steps. Calls
   * `delivered` after the last of these steps, but not if the first step had no event for any client.
   */
  accept(entries: Entry[], delivered: () => void) {
    const remembered = entries.map(rememberedEntry)
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
   * Forgets all entries, because the state has been reloaded and they do not lead to it. Waiting clients collect their events again,
   * in later steps.
   */
  reload() {
    this.recent.clear()
    this.older = new SharedLog(this.log, this.types)
    this.offerLater(this.offeredUpTo)
    this.offeredUpTo = this.log.state.position
  }

  /** Gives each waiting client a turn at which it is offered the entries after a number, unless it has a turn already. */
  private offerLater(after: number): undefined {
    for (const waiters of this.waiting.values())
      for (const waiter of waiters) if (!this.later.has(waiter)) this.later.add(waiter, after)
  }

  /** Offers the waiter every entry from now on. */
  attach(waiter: Waiter) {
    const { userId, options } = waiter.queue
    const others = this.waiting.get(userId)
    if (others) others.add(waiter)
    else this.waiting.set(userId, new Set([waiter]))
    if (options.allPublicChannels) this.waitingForPublic.add(waiter)
  }

  /** Offers the waiter nothing more. It must collect the entries that it has not been offered yet. */
  detach(waiter: Waiter) {
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
   * Returns the queue's events after a number, oldest first, as many as one response may have. They normally come from memory; for a
   * queue that has fallen behind, from the log. Throws BAD_EVENT_QUEUE_ID if the queue has ended, or is older than the log.
   */
  async collect(queue: Queue, after: number): Promise<Collected> {
    const found: Collected = { events: [], bytes: 0, reached: after, isEnd: false }
    while (found.reached < this.log.state.position && !isFull(found)) {
      const remembered = this.recent.after(found.reached)
      const entries = remembered
        ? await this.older.renew(remembered, (entry) => this.isOutdatedFor(queue, entry))
        : await this.fromLog(queue, found.reached)
      if (entries.length === 0) break
      this.collectFrom(entries, queue, found)
    }
    if (found.isEnd && found.events.length === 0) throw badEventQueue(queue.id)
    return found
  }

  /** Adds the events that a queue receives from the next entries, until `found` is full. */
  private collectFrom(entries: RememberedEntry[], queue: Queue, found: Collected) {
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
   * Offers a waiter all entries after a number. It must collect them itself if some are outdated or no longer in memory, or if they
   * are more than one response may have.
   */
  private offer(waiter: Waiter, after: number, step: StepSize) {
    const { queue } = waiter
    const entries = this.recent.after(after)
    step.checks += entries?.length ?? 1
    const mustCollect = !entries || entries.some((entry) => this.isOutdatedFor(queue, entry))
    if (mustCollect) return waiter.wake(undefined, after)
    const found: Collected = { events: [], bytes: 0, reached: after, isEnd: false }
    this.collectFrom(entries, queue, found)
    step.bytes += found.bytes
    if (found.reached < lastIn(entries).id) waiter.wake(undefined, after)
    else if (found.events.length > 0) waiter.wake(found.events)
  }

  /**
   * Returns the events that clients get immediately, and gives turns to the other clients in their audience. If several entries are
   * more than one step may deliver, returns undefined and gives turns to all clients: clients that got only a part of them would all
   * return for the rest at the same time.
   */
  private firstStep(entries: RememberedEntry[]): Map<Waiter, ShapedEvent[]> | undefined {
    const news = new Map<Waiter, ShapedEvent[]>()
    const step = StepSize.ofFirst()
    for (const entry of entries) {
      this.offerNow(entry, news, step)
      if (step.isLarge && entries.length > 1) return this.offerLater(firstIn(entries).id - 1)
    }
    return news
  }

  private offerNow(entry: RememberedEntry, news: Map<Waiter, ShapedEvent[]>, step: StepSize) {
    const { audience, event } = entry
    const { state } = this.log
    if (!audience || !event) return
    const add = (waiter: Waiter) => {
      // A waiter that has a turn is offered this entry then.
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
    const offered = new Set<Waiter>()
    for (const waiters of candidatesIn(state, audience, this.waiting)) {
      // All these waiters belong to one user, who may have very many.
      const [first] = waiters
      if (!first || !isInAudience(state, audience, first.queue.userId)) continue
      for (const waiter of waiters) {
        offered.add(waiter)
        add(waiter)
      }
    }
    if (this.waitingForPublic.size === 0 || !isPublicMessage(state, audience)) return
    for (const waiter of this.waitingForPublic) if (!offered.has(waiter)) add(waiter)
  }

  /** Returns the event as this queue receives it; undefined if it does not receive it. */
  private shape(entry: RememberedEntry, queue: Queue): ShapedEvent | undefined {
    const { event, body } = entry
    const { state } = this.log
    const me = state.users.get(queue.userId)
    if (!event || !me?.is_active) return undefined
    const type = this.types.get(entry.type)
    // The object that the event refers to has been deleted.
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

  private shapeFor(entry: RememberedEntry, event: ClientEvent, type: EventType, listener: Listener) {
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

  private isOutdatedFor(queue: Queue, entry: RememberedEntry): boolean {
    return entry.isOutdated === true && this.concerns(entry, queue)
  }

  private async fromLog(queue: Queue, after: number): Promise<RememberedEntry[]> {
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
