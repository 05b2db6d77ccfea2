import type { Queue, ShapedEvent } from './queue.ts'

/** A client that waits for the next events of its queue: by a long poll, or with an event stream. */
export type Waiter = {
  queue: Queue
  isStream: boolean
  /** Gives it events. Undefined: it must collect its events again, those after a number if one is given. */
  wake(events: ShapedEvent[] | undefined, after?: number): void
  /** Whether its login is still valid. */
  isAllowed(): boolean
  /** Ends the wait without an event. */
  end(): void
  /** Ends the wait a little later, because another client has taken over its queue. It is not woken again. */
  giveWay(): void
}
