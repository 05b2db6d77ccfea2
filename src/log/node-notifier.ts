import { guard, ignore } from '../lib/guard.ts'
import { withTimeout } from '../lib/with-timeout.ts'

/**
 * Notifies other nodes that a log has grown, and receives such notifications. A lost one costs a delay, never an event.
 */
export type NodeNotifier = {
  announce(realmId: number, lastEventId: number): void
  listen(listener: (realmId: number, lastEventId: number) => void): void
  close(): Promise<void>
}

/** A connection that carries calls between the nodes on a database. */
export type Line = {
  /** Resolves when they are on their way. */
  send(calls: string[]): Promise<unknown>
  /** Resolves when the line has ended, with the reason. */
  ended: Promise<unknown>
  /** Sends what is pending, and ends the line. */
  end(): Promise<unknown>
}

/** Opens a line, and passes on its calls. It is called again when the line, or opening it, has failed. */
type OpenLine = (hear: (call: string) => void) => Promise<Line>

/** Receives the reason for which nodes cannot notify each other: once, however long that lasts. */
export type OnLost = (error: unknown) => void

const gatherMs = 5
const reconnectMs = 1_000
const longestFarewell = 2 // seconds

/** Notifies by calls over a line, batched over a moment: a realm is announced once, with its last number. */
export function wakeBy(open: OpenLine, onLost: OnLost = () => {}): NodeNotifier {
  return new LineWake(open, onLost)
}

class LineWake implements NodeNotifier {
  private readonly open: OpenLine
  private readonly onLost: OnLost
  private readonly news = new Map<number, number>()
  private readonly listeners: ((realmId: number, lastEventId: number) => void)[] = []
  private readonly firstTry: Promise<void>
  private line: Line | undefined
  private timer: NodeJS.Timeout | undefined
  private telling: Promise<unknown> = Promise.resolve()
  private isLost = false
  private readonly tellSoon = guard(ignore, () => this.tell())
  private closed = false

  constructor(open: OpenLine, onLost: OnLost) {
    this.open = open
    this.onLost = onLost
    this.firstTry = this.connect()
  }

  announce(realmId: number, lastEventId: number) {
    this.news.set(realmId, lastEventId)
    this.timer ??= setTimeout(this.tellSoon, gatherMs).unref()
  }

  listen(listener: (realmId: number, lastEventId: number) => void) {
    this.listeners.push(listener)
  }

  async close() {
    await withTimeout(longestFarewell, this.tellTheRest())
    this.closed = true
    if (this.line) await withTimeout(longestFarewell, this.line.end())
  }

  private async connect() {
    if (this.closed) return
    try {
      const line = await this.open((call) => this.hear(call))
      if (this.closed) return void line.end()
      this.line = line
      this.isLost = false
      void line.ended.then((error) => this.lose(error))
      this.tell()
    } catch (error) {
      this.lose(error)
    }
  }

  private lose(error: unknown) {
    this.line = undefined
    if (this.closed) return
    if (!this.isLost) this.onLost(error)
    this.isLost = true
    const again = guard(ignore, () => this.connect())
    setTimeout(again, reconnectMs).unref()
  }

  private hear(call: string) {
    const [, realmId, lastEventId] = /^(\d{1,10}):(\d{1,15})$/.exec(call) ?? []
    if (!realmId || !lastEventId) return
    for (const listener of this.listeners) listener(Number(realmId), Number(lastEventId))
  }

  private tell() {
    this.timer = undefined
    const { line } = this
    if (!line) return
    const calls = [...this.news].map(([realmId, lastEventId]) => `${realmId}:${lastEventId}`)
    this.news.clear()
    if (calls.length > 0) this.telling = this.telling.then(() => line.send(calls)).catch(() => {})
  }

  // A node that commits and closes immediately has a notification to send, perhaps before it is even connected.
  private async tellTheRest() {
    await this.firstTry
    clearTimeout(this.timer)
    this.tell()
    await this.telling
  }
}
