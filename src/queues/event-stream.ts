import { ByteBudget } from '../lib/collections/byte-budget.ts'
import { guard, ignore } from '../lib/guard.ts'
import { lastIn } from '../lib/must.ts'
import type { Delivery } from './delivery.ts'
import { queueLimits } from './limits.ts'
import type { Queue, ShapedEvent } from './queue.ts'
import type { Waiter } from './waiter.ts'
import { pollSeconds, type Waiters } from './waiters.ts'

/** A client that reads the events of its queue one after the other. */
export type StreamReader = {
  /** Whether it may still read. */
  isAllowed(): boolean
  /** Sends events. Returns false if it should get no more until it has read these. */
  send(events: ShapedEvent[]): boolean
  /** Calls `go` once it has read what was sent. */
  whenDrained(go: () => void): void
  /** Called once, when every event from before the stream began has been sent. */
  noteUpToDate(): void
  /** Calls `leave` when it disconnects. */
  whenGone(leave: () => void): void
  end(): void
  fail(error: Error): void
}

/** The number after which a stream begins, and its first events. */
export type StreamStart = { after: number; first: ShapedEvent[] }

type Source = {
  waiters: Waiters
  delivery: Delivery
  /** Whether the queue still exists, and the server is not stopping. */
  isOpen(): boolean
}

/**
 * The events that streams hold for clients which must read earlier ones first. If they take too much memory, the streams that have held
 * theirs for longest forget them, and collect them again later.
 */
const held = new ByteBudget<EventStream>(queueLimits.unreadEventBytes, queueLimits.unreadEventBytes).share(
  (one) => one.forgetRest(),
)

/**
 * Sends a client the events of its queue as they come, until the client disconnects or the queue ends. When another client takes over
 * the queue, it sends no more events, and the response ends a little later.
 * An event for a client that is up to date is written directly, without a promise or a timer of its own.
 */
export class EventStream implements Waiter {
  readonly isStream = true
  readonly queue: Queue
  readonly wake: (events: ShapedEvent[] | undefined, after?: number) => void
  private readonly source: Source
  private readonly reader: StreamReader
  private readonly goOn: () => void
  private readonly beat: () => void
  /** After how many seconds without an event the client gets a heartbeat. */
  private readonly pause = pollSeconds()
  private heartbeat: NodeJS.Timeout
  /** When the client was last sent something, in milliseconds of performance.now(). */
  private sentAt = performance.now()
  /** Every event up to this number has been sent, or waits in `rest`. */
  private after: number
  /** Events that the client gets when it has read what came before. */
  private rest: ShapedEvent[]
  private isAttached = false
  private isUpToDate = false
  /** True once nothing more is sent. */
  private hasEnded = false
  private isClosed = false
  private leaving: NodeJS.Timeout | undefined

  /** `after`: the number of the last event that the client has. `first`: the events after it that have been collected already. */
  constructor(source: Source, queue: Queue, { after, first }: StreamStart, reader: StreamReader) {
    this.source = source
    this.queue = queue
    this.after = first.at(-1)?.id ?? after
    this.rest = first
    this.reader = reader
    const fail = (error: Error) => this.fail(error)
    this.wake = guard(fail, (events, after) => this.take(events, after))
    this.goOn = guard(fail, () => this.collect())
    this.beat = guard(fail, () => this.beatIfSilent())
    this.heartbeat = setTimeout(this.beat, this.pause * 1000)
  }

  start() {
    this.source.waiters.add(this)
    this.reader.whenGone(() => this.end())
    this.goOn()
  }

  end() {
    this.stop()
    this.close()
  }

  isAllowed() {
    return this.reader.isAllowed()
  }

  giveWay() {
    if (this.hasEnded) return
    this.stop()
    const close = guard(ignore, () => this.close())
    this.leaving = setTimeout(close, queueLimits.takeoverSeconds * 1000)
  }

  /** Forgets the events that it holds. It collects them again when the client has read the earlier ones. */
  forgetRest() {
    held.remove(this)
    const [first] = this.rest
    if (first) this.after = first.id - 1
    this.rest = []
  }

  private stop() {
    this.hasEnded = true
    this.forgetRest()
    this.detach()
    clearTimeout(this.heartbeat)
  }

  private close() {
    if (this.isClosed) return
    this.isClosed = true
    clearTimeout(this.leaving)
    this.source.waiters.remove(this)
    this.reader.end()
  }

  /** Sends the events; or, if they are undefined, collects those after a number. */
  private take(events: ShapedEvent[] | undefined, after = this.after) {
    if (!this.isAttached) return
    this.after = Math.max(this.after, after)
    if (!events) this.detach()
    if (!events) this.goOn()
    else if (!this.send(events)) this.detach()
  }

  /** Sends the events that the client lacks, as fast as it reads, and then waits for new ones. */
  private async collect() {
    const { waiters, delivery } = this.source
    held.remove(this)
    if (!this.source.isOpen()) this.end()
    if (this.rest.length > 0 && !this.send(this.rest)) return
    while (!this.hasEnded) {
      const { events, reached } = await delivery.collect(this.queue, this.after)
      this.after = reached
      if (events.length > 0 && !this.send(events)) return
      // No entry may come between this look at the position and the start of the wait.
      if (events.length === 0 && reached >= waiters.position()) return this.attach()
    }
  }

  private attach() {
    if (!this.source.isOpen()) this.end()
    if (this.hasEnded) return
    if (!this.isUpToDate) this.reader.noteUpToDate()
    this.isUpToDate = true
    this.isAttached = true
    this.source.waiters.attach(this)
  }

  private detach() {
    this.isAttached = false
    this.source.waiters.detach(this)
  }

  /** Returns whether the client can be sent more now. If it must read first, it gets the rest after that. */
  private send(events: ShapedEvent[]): boolean {
    if (!this.source.isOpen() || !this.isAllowed()) this.end()
    if (this.hasEnded) return false
    this.after = Math.max(this.after, lastIn(events).id)
    this.sentAt = performance.now()
    this.rest = events
    while (this.rest.length > 0) {
      const piece = pieceOf(this.rest)
      this.rest = piece === this.rest ? [] : this.rest.slice(piece.length)
      if (this.reader.send(piece)) continue
      if (this.rest.length > 0) held.grow(this, sizeOf(this.rest))
      this.reader.whenDrained(this.goOn)
      return false
    }
    return true
  }

  /**
   * Sends a heartbeat if nothing has been sent for long, and sets the timer again. Moving the timers of thousands of streams with each
   * event would cost more. The timer takes whole seconds, as Node keeps a list of timers for each duration.
   */
  private beatIfSilent() {
    if (this.isAttached && this.secondsLeft <= 0) this.take([this.source.waiters.heartbeat(this)])
    if (this.hasEnded) return
    // A client that reads slowly is sent no heartbeat.
    const seconds = this.secondsLeft > 0 ? Math.ceil(this.secondsLeft) : this.pause
    this.heartbeat = setTimeout(this.beat, seconds * 1000)
  }

  private get secondsLeft() {
    return this.pause - (performance.now() - this.sentAt) / 1000
  }

  private fail(error: Error) {
    this.reader.fail(error)
    this.end()
  }
}

/** Roughly how many bytes these events take. */
function sizeOf(events: ShapedEvent[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0)
}

/** Returns the first of these events, as many as are written together. */
function pieceOf(events: ShapedEvent[]): ShapedEvent[] {
  let bytes = 0
  const end = events.findIndex(({ json }, i) => {
    bytes += json.length
    return bytes > queueLimits.eventBytesPerPiece && i > 0
  })
  return end < 0 ? events : events.slice(0, end)
}
