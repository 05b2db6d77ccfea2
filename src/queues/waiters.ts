import { guard, ignore } from '../lib/guard.ts'
import type { Delivery } from './delivery.ts'
import { LaterOffers } from './later-offers.ts'
import { queueLimits } from './limits.ts'
import { type Queue, ShapedEvent } from './queue.ts'
import type { Waiter } from './waiter.ts'

/** A client with a long poll: it waits if there are no events yet. */
export type Poller = {
  /** Releases the place of its request among those under way. It is called before the client waits. */
  releasePlace(): void
  /** Calls `leave` when the client disconnects. Returns the function that stops that. */
  whenGone(leave: () => void): () => void
  /** Whether its login is still valid. */
  isAllowed(): boolean
  /** Ends the wait with these events. */
  tell(events: ShapedEvent[]): void
  /** Ends the wait with an error. */
  fail(error: Error): void
}

/**
 * The clients of an organization that wait for events at this node: one for each queue, and for a moment those that another client of
 * their queue has displaced.
 */
export class Waiters {
  /** Returns the number of the last entry that this node has folded. */
  readonly position: () => number
  private readonly delivery: Delivery
  private readonly clock: () => number
  private readonly byQueue = new Map<string, Waiter>()
  private readonly displaced = new Set<Waiter>()
  private readonly ending = new LaterOffers<Waiter>((waiter) => waiter.end())

  constructor(delivery: Delivery, position: () => number, clock: () => number) {
    this.delivery = delivery
    this.position = position
    this.clock = clock
  }

  get isEmpty(): boolean {
    return this.byQueue.size === 0 && this.displaced.size === 0
  }

  get counts(): { polls: number; eventStreams: number } {
    let eventStreams = 0
    for (const { isStream } of this.all) if (isStream) eventStreams++
    return { polls: this.all.length - eventStreams, eventStreams }
  }

  /** The queues whose clients wait. */
  get queues(): Queue[] {
    return [...this.byQueue.values()].map(({ queue }) => queue)
  }

  has({ id }: Queue): boolean {
    return this.byQueue.has(id)
  }

  /** Adds a waiter. It displaces another client of the same queue. */
  add(waiter: Waiter) {
    const { id } = waiter.queue
    const other = this.byQueue.get(id)
    this.byQueue.set(id, waiter)
    if (!other) return
    this.displaced.add(other)
    other.giveWay()
  }

  /** Wakes the waiter with new events from now on. It must have all earlier ones. */
  attach(waiter: Waiter) {
    this.delivery.attach(waiter)
  }

  detach(waiter: Waiter) {
    this.delivery.detach(waiter)
  }

  remove(waiter: Waiter) {
    const { queue } = waiter
    this.delivery.detach(waiter)
    if (this.byQueue.get(queue.id) === waiter) this.byQueue.delete(queue.id)
    this.displaced.delete(waiter)
    this.ending.remove(waiter)
    queue.lastPolledAt = this.clock()
  }

  /** Ends the waits for a queue. */
  end(id: string) {
    this.byQueue.get(id)?.end()
    for (const waiter of this.displaced) if (waiter.queue.id === id) waiter.end()
  }

  /** Ends all waits: those of the first clients immediately, and others in later steps. */
  endAll() {
    const { all } = this
    for (const waiter of all.slice(0, queueLimits.clientsInFirstStep)) waiter.end()
    for (const waiter of all.slice(queueLimits.clientsInFirstStep)) this.ending.add(waiter, this.position())
  }

  /**
   * Returns the event for a client that has waited long enough; without a waiter, for one that has all events. Its number says that the
   * client has been offered everything up to there.
   */
  heartbeat(waiter?: Waiter): ShapedEvent {
    const id = waiter ? this.delivery.offeredTo(waiter) : this.position()
    return new ShapedEvent(id, JSON.stringify({ type: 'heartbeat', id }))
  }

  private get all(): Waiter[] {
    return [...this.byQueue.values(), ...this.displaced]
  }
}

/**
 * Waits for the next events of a queue, and calls `take` once: with the events; with undefined when they must be collected again; or
 * with a heartbeat when none comes for long, a little after another client has taken over the queue, when the client's login ends, or
 * when the server stops.
 */
export function waitOnce(
  waiters: Waiters,
  queue: Queue,
  { whenGone, isAllowed }: Pick<Poller, 'whenGone' | 'isAllowed'>,
  take: (events: ShapedEvent[] | undefined, after?: number) => void,
) {
  let stop: () => void = ignore
  let last: ShapedEvent | undefined
  const wake = (events: ShapedEvent[] | undefined, after?: number) => {
    clearTimeout(timer)
    stop()
    waiters.remove(waiter)
    take(events, after)
  }
  const end = () => wake([last ?? waiters.heartbeat(waiter)])
  const leave = guard(ignore, end)
  const giveWay = () => {
    // From now on, the waiter is offered nothing.
    last = waiters.heartbeat(waiter)
    waiters.detach(waiter)
    clearTimeout(timer)
    timer = setTimeout(leave, queueLimits.takeoverSeconds * 1000)
  }
  const waiter: Waiter = { queue, isStream: false, isAllowed, wake, end, giveWay }
  let timer = setTimeout(leave, pollSeconds() * 1000)
  waiters.add(waiter)
  waiters.attach(waiter)
  stop = whenGone(leave)
}

/**
 * Returns after how many seconds a waiting client gets a heartbeat. It varies, so that clients that came together do not all return
 * together; by quarters of a second, as Node keeps a list of timers for each duration.
 */
export function pollSeconds(): number {
  return queueLimits.longPollSeconds - Math.floor(20 * Math.random()) / 4
}
