import { guard, ignore } from '../lib/guard.ts'
import type { Delivery, Waiter } from './delivery.ts'
import { queueLimits } from './limits.ts'
import type { Delivered, Queue } from './queue.ts'

/** A client whose request waits for events. */
export type WaitingClient = {
  /** Whether it stays for further events after those that it is told. */
  isStream: boolean
  /** Called before it waits. */
  rest(): void
  /** Calls `leave` when the client disconnects. Returns the function that stops that. */
  whenGone(leave: () => void): () => void
}

/** A client that waits if there are no events yet, and receives them, or the error that ends the wait. */
export type Poller = WaitingClient & { tell(events: Delivered[]): void; fail(error: Error): void }

/** The clients of an organization that wait for events at this node: at most one of each queue. */
export class WaitingPolls {
  private readonly delivery: Delivery
  private readonly position: () => number
  private readonly clock: () => number
  private readonly waiters = new Map<string, Waiter>()

  /** `position`: of the log, as far as its events have been offered to those who wait. */
  constructor(delivery: Delivery, position: () => number, clock: () => number) {
    this.delivery = delivery
    this.position = position
    this.clock = clock
  }

  get isEmpty(): boolean {
    return this.waiters.size === 0
  }

  get counts(): { polls: number; eventStreams: number } {
    let eventStreams = 0
    for (const { isStream } of this.waiters.values()) if (isStream) eventStreams++
    return { polls: this.waiters.size - eventStreams, eventStreams }
  }

  /** The queues whose clients wait. */
  get queues(): Queue[] {
    return [...this.waiters.values()].map(({ queue }) => queue)
  }

  has({ id }: Queue): boolean {
    return this.waiters.has(id)
  }

  /**
   * Calls `take` once: with the next events, or with a heartbeat when none comes for long, or with undefined when they must be
   * collected again. Another client of the same queue gets a heartbeat now.
   */
  add(queue: Queue, client: WaitingClient, take: (events: Delivered[] | undefined) => void) {
    this.end(queue.id)
    let stop: () => void = ignore
    const waiter: Waiter = {
      queue,
      isStream: client.isStream,
      wake: (events) => {
        clearTimeout(timer)
        stop()
        this.delivery.unpark(waiter)
        if (this.waiters.get(queue.id) === waiter) this.waiters.delete(queue.id)
        queue.lastPolledAt = this.clock()
        take(events?.length === 0 ? [this.heartbeat()] : events)
      },
    }
    const leave = guard(ignore, () => waiter.wake([]))
    const timer = setTimeout(leave, pollSeconds() * 1000)
    this.waiters.set(queue.id, waiter)
    this.delivery.park(waiter)
    stop = client.whenGone(leave)
  }

  /** Ends the wait of a queue's client with a heartbeat. */
  end(id: string) {
    this.waiters.get(id)?.wake([])
  }

  endAll() {
    for (const waiter of this.waiters.values()) waiter.wake([])
  }

  /** Makes all of them collect their events again. */
  collectAgain() {
    for (const waiter of this.waiters.values()) waiter.wake(undefined)
  }

  heartbeat(): Delivered {
    const id = this.position()
    return { id, json: JSON.stringify({ type: 'heartbeat', id }) }
  }
}

/**
 * Returns how long a poll waits. It varies, so that clients that came together do not all return together; by quarters of
 * a second, as Node keeps a list of timers for each duration.
 */
function pollSeconds(): number {
  return queueLimits.longPollSeconds - Math.floor(20 * Math.random()) / 4
}
