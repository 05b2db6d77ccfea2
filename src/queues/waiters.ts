import { guard, ignore } from '../lib/guard.ts'
import type { Delivery, Waiter } from './delivery.ts'
import { LaterOffers } from './later-offers.ts'
import { queueLimits } from './limits.ts'
import { Delivered, type Queue } from './queue.ts'

/** A client that waits if there are no events yet. */
export type Poller = {
  /** Releases the place of its request among those under way. It is called before the client waits. */
  releasePlace(): void
  /** Calls `leave` when the client disconnects. Returns the function that stops that. */
  whenGone(leave: () => void): () => void
  /** Whether its login still holds. */
  isAllowed(): boolean
  /** Receives the events, or the error that ends the wait. */
  tell(events: Delivered[]): void
  fail(error: Error): void
}

/**
 * The clients of an organization that wait for events at this node: one for each queue, and clients that another one has
 * displaced.
 */
export class Waiters {
  /** The last number of the log up to which this node has come. */
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

  /** Has the waiter woken by events from now on. It must know everything up to now. */
  park(waiter: Waiter) {
    this.delivery.park(waiter)
  }

  unpark(waiter: Waiter) {
    this.delivery.unpark(waiter)
  }

  remove(waiter: Waiter) {
    const { queue } = waiter
    this.delivery.unpark(waiter)
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
   * Returns the event for a client that has waited long enough, or, without a waiter, for one that knows everything. Its number says that
   * the client has been offered everything up to there.
   */
  heartbeat(waiter?: Waiter): Delivered {
    const id = waiter ? this.delivery.offeredTo(waiter) : this.position()
    return new Delivered(id, JSON.stringify({ type: 'heartbeat', id }))
  }

  private get all(): Waiter[] {
    return [...this.byQueue.values(), ...this.displaced]
  }
}

/**
 * Waits for the next events of a queue. Calls `take` once: with them; or with a heartbeat when none comes for long, a little after
 * another client of the queue has taken over, or when its login ends or the server stops; or with undefined when they must be collected again.
 */
export function waitOnce(
  waiters: Waiters,
  queue: Queue,
  { whenGone, isAllowed }: Pick<Poller, 'whenGone' | 'isAllowed'>,
  take: (events: Delivered[] | undefined, after?: number) => void,
) {
  let stop: () => void = ignore
  let last: Delivered | undefined
  const wake = (events: Delivered[] | undefined, after?: number) => {
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
    waiters.unpark(waiter)
    clearTimeout(timer)
    timer = setTimeout(leave, queueLimits.takeoverSeconds * 1000)
  }
  const waiter: Waiter = { queue, isStream: false, isAllowed, wake, end, giveWay }
  let timer = setTimeout(leave, pollSeconds() * 1000)
  waiters.add(waiter)
  waiters.park(waiter)
  stop = whenGone(leave)
}

/**
 * Returns how long a client waits for a heartbeat. It varies, so that clients that came together do not all return together; by
 * quarters of a second, as Node keeps a list of timers for each duration.
 */
export function pollSeconds(): number {
  return queueLimits.longPollSeconds - Math.floor(20 * Math.random()) / 4
}
