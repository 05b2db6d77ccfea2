import { ByteBudget } from '../lib/collections/byte-budget.ts'
import { guard, ignore } from '../lib/guard.ts'
import { lastIn } from '../lib/must.ts'
import type { Delivery, Waiter } from './delivery.ts'
import { queueLimits } from './limits.ts'
import type { Delivered, Queue } from './queue.ts'
import { pollSeconds, type Waiters } from './waiters.ts'

/** A client that reads the events of its queue one after the other. */
export type StreamReader = {
  /** Whether it may still read. */
  isAllowed(): boolean
  /** Sends events; returns false if it should get no more before it has read these. */
  send(events: Delivered[]): boolean
  /** Calls `go` once it has read what was sent. */
  whenDrained(go: () => void): void
  /** Says that everything from before the stream began has been sent. */
  noteUpToDate(): void
  /** Calls `leave` when it disconnects. */
  whenGone(leave: () => void): void
  end(): void
  fail(error: Error): void
}

/** The number after which a stream begins, and its first events. */
export type StreamStart = { after: number; first: Delivered[] }

type Source = {
  waiters: Waiters
  delivery: Delivery
  /** Whether the queue is there, and the server goes on. */
  isOpen(): boolean
}

/** What streams hold for clients that must read first. If it is too much, those that have held theirs for longest collect it again later. */
const held = new ByteBudget<EventStream>(queueLimits.unreadEventBytes, queueLimits.unreadEventBytes).share(
  (one) => one.forgetRest(),
)

/**
 * Sends a client the events of its queue as they come, until the client or the queue leaves, or another client of the queue comes: then
 * the response ends a little later, without any more events.
 * To a client that is up to date an event is written directly, without a promise or a timer of its own.
 */
export class EventStream implements Waiter {
  readonly isStream = true
  readonly queue: Queue
  readonly wake: (events: Delivered[] | undefined, after?: number) => void
  private readonly source: Source
  private readonly reader: StreamReader
  private readonly goOn: () => void
  private readonly beat: () => void
  /** After how many seconds without an event the client gets a heartbeat. */
  private readonly pause = pollSeconds()
  private heartbeat: NodeJS.Timeout
  /** When the client was sent something, in milliseconds of the process. */
  private sentAt = performance.now()
  /** Up to here, what concerns the client has been sent, or waits in `rest`. */
  private after: number
  /** Events that the client gets when it has read what came before. */
  private rest: Delivered[]
  private isParked = false
  private isUpToDate = false
  /** True once nothing more is sent. */
  private hasEnded = false
  private isClosed = false
  private leaving: NodeJS.Timeout | undefined

  /** `after`: the last event that the client has. `first`: those that follow, as far as they have been collected. */
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

  /** Forgets what it holds: it collects that again when the client has read. */
  forgetRest() {
    held.remove(this)
    const [first] = this.rest
    if (first) this.after = first.id - 1
    this.rest = []
  }

  private stop() {
    this.hasEnded = true
    this.forgetRest()
    this.unpark()
    clearTimeout(this.heartbeat)
  }

  private close() {
    if (this.isClosed) return
    this.isClosed = true
    clearTimeout(this.leaving)
    this.source.waiters.remove(this)
    this.reader.end()
  }

  private take(events: Delivered[] | undefined, after = this.after) {
    if (!this.isParked) return
    this.after = Math.max(this.after, after)
    if (!events) this.unpark()
    if (!events) this.goOn()
    else if (!this.send(events)) this.unpark()
  }

  /** Sends what the client lacks, as fast as it reads, and parks it then. */
  private async collect() {
    const { waiters, delivery } = this.source
    held.remove(this)
    if (!this.source.isOpen()) this.end()
    if (this.rest.length > 0 && !this.send(this.rest)) return
    while (!this.hasEnded) {
      const { events, reached } = await delivery.collect(this.queue, this.after)
      this.after = reached
      if (events.length > 0 && !this.send(events)) return
      // Nothing may come between the look at the position and the parking.
      if (events.length === 0 && reached >= waiters.position()) return this.park()
    }
  }

  private park() {
    if (!this.source.isOpen()) this.end()
    if (this.hasEnded) return
    if (!this.isUpToDate) this.reader.noteUpToDate()
    this.isUpToDate = true
    this.isParked = true
    this.source.waiters.park(this)
  }

  private unpark() {
    this.isParked = false
    this.source.waiters.unpark(this)
  }

  /** Returns whether the client can be sent more now. If it must read first, it gets the rest when it has. */
  private send(events: Delivered[]): boolean {
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
   * Sends a heartbeat if nothing has been sent for long, and looks again later: there may be thousands of streams, and each would
   * have to move its timer with each event. The timer takes whole seconds, as Node keeps a list of timers for each duration.
   */
  private beatIfSilent() {
    if (this.isParked && this.secondsLeft <= 0) this.take([this.source.waiters.heartbeat(this)])
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
function sizeOf(events: Delivered[]): number {
  return events.reduce((sum, { json }) => sum + json.length, 0)
}

/** The first of these events: those that are written together. */
function pieceOf(events: Delivered[]): Delivered[] {
  let bytes = 0
  const end = events.findIndex(({ json }, i) => {
    bytes += json.length
    return bytes > queueLimits.eventBytesPerPiece && i > 0
  })
  return end < 0 ? events : events.slice(0, end)
}
