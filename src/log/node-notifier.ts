import { randomUUID } from 'node:crypto'
import { guard, ignore } from '../lib/guard.ts'
import type { Secrets } from '../lib/sealed.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { logLimits } from './limits.ts'
import { type Announcement, addNext, callsOf, type LogNews, partsOf } from './news.ts'

/**
 * Notifies other nodes that a log has grown, and receives such notifications. A lost one costs a delay, never an event.
 */
export type NodeNotifier = {
  /** `news` is called if it is to be sent. */
  announce(realmId: number, lastEventId: number, news?: () => LogNews): void
  listen(listener: NewsListener): void
  close(): Promise<void>
}

/** `news`: the JSON of what has been written, if it came along. */
type NewsListener = (realmId: number, lastEventId: number, news?: string) => void

/** A connection that carries calls between the nodes on a database. */
export type Line = {
  /** The size of the longest call. */
  callBytes: number
  /** What encrypts news, and tells them from those of others: any user of the line may listen and call. */
  seal: Pick<Secrets, 'seal' | 'open'>
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
/** The same while no other node wants news: hardly anyone listens, and a call costs as much as a small write. */
const gatherAloneMs = 100
const reconnectMs = 1_000
const longestFarewell = 2 // seconds

const purpose = 'news between nodes'
/** How often a node says that it wants news, and for how long the others then send them. */
const wantMs = 300_000
const wantedMs = 2.5 * wantMs

/**
 * Notifies by calls over a line, batched over a moment: with the number of the last entry, and, while another node wants
 * that, with the entries. A node that does not follow logs wants none.
 */
export function wakeBy(open: OpenLine, onLost: OnLost = () => {}, follows = true): NodeNotifier {
  return new LineWake(open, onLost, follows)
}

class LineWake implements NodeNotifier {
  private readonly open: OpenLine
  private readonly onLost: OnLost
  private readonly follows: boolean
  private readonly id = randomUUID().slice(0, 8)
  private readonly news = new Map<number, Announcement>()
  /** Until when another node wants news, in milliseconds of performance.now(). */
  private wantedUntil = 0
  private wanting: NodeJS.Timeout | undefined
  private readonly listeners: NewsListener[] = []
  private readonly firstTry: Promise<void>
  private line: Line | undefined
  private timer: NodeJS.Timeout | undefined
  private telling: Promise<unknown> = Promise.resolve()
  private isLost = false
  private readonly tellSoon = guard(ignore, async () => {
    // What comes while a line is slow is gathered.
    await this.telling
    this.tell()
  })
  private readonly wantAgain = guard(ignore, () => this.want())
  private closed = false

  constructor(open: OpenLine, onLost: OnLost, follows: boolean) {
    this.open = open
    this.onLost = onLost
    this.follows = follows
    this.firstTry = this.connect()
  }

  announce(realmId: number, lastEventId: number, news?: () => LogNews) {
    const { news: known, lastEventId: before } = this.news.get(realmId) ?? { news: [], lastEventId: 0 }
    // The announcements of two workers may come in another order than what they have written.
    this.news.set(realmId, { lastEventId: Math.max(before, lastEventId), news: known })
    const isWanted = this.line !== undefined && performance.now() < this.wantedUntil
    if (news && isWanted && countOf(known) < logLimits.entriesAnnounced) addNext(known, news())
    this.timer ??= setTimeout(this.tellSoon, isWanted ? gatherMs : gatherAloneMs).unref()
  }

  listen(listener: NewsListener) {
    this.listeners.push(listener)
  }

  async close() {
    await withTimeout(longestFarewell, this.tellTheRest())
    this.closed = true
    clearInterval(this.wanting)
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
      this.want()
      this.wanting ??= setInterval(this.wantAgain, wantMs).unref()
    } catch (error) {
      this.lose(error)
    }
  }

  private lose(error: unknown) {
    this.line = undefined
    for (const announcement of this.news.values()) announcement.news = []
    if (this.closed) return
    if (!this.isLost) this.onLost(error)
    this.isLost = true
    const again = guard(ignore, () => this.connect())
    setTimeout(again, reconnectMs).unref()
  }

  private want() {
    if (this.follows) this.send([`want:${this.id}`])
  }

  private hear(call: string) {
    const [, wanting] = /^want:([0-9a-f]{8})$/.exec(call) ?? []
    if (wanting !== undefined) return this.hearWant(wanting)
    const parts = partsOf(call)
    if (!parts) return
    const { realmId, lastEventId, news } = parts
    const open = news === undefined ? news : this.line?.seal.open(purpose, [realmId, lastEventId], news)
    // Not of a node with this secret, or before this node is ready. From nodes, the number alone follows.
    if (news !== undefined && open === undefined) return
    for (const listener of this.listeners) listener(realmId, lastEventId, open)
  }

  /** The first time, it answers, as it may have begun before the other node listened. */
  private hearWant(id: string) {
    if (id === this.id) return
    if (performance.now() > this.wantedUntil) this.want()
    this.wantedUntil = performance.now() + wantedMs
  }

  private tell() {
    this.timer = undefined
    const { line } = this
    if (!line) return
    const { callBytes, seal } = line
    const calls = [...this.news].flatMap(([realmId, announcement]) =>
      callsOf(realmId, announcement, callBytes, {
        of: (text, id) => seal.seal(purpose, [realmId, id], text),
        room: sealedRoom,
      }),
    )
    this.news.clear()
    if (calls.length > 0) this.send(calls)
  }

  private send(calls: string[]) {
    const { line } = this
    if (line) this.telling = this.telling.then(() => line.send(calls)).catch(() => {})
  }

  // A node that commits and closes immediately has a notification to send, perhaps before it is even connected.
  private async tellTheRest() {
    await this.firstTry
    clearTimeout(this.timer)
    this.tell()
    await this.telling
  }
}

/** Returns how many bytes fit into a sealed text of this size; see Secrets. */
function sealedRoom(bytes: number) {
  return Math.floor((bytes * 3) / 4) - 40
}

function countOf(news: LogNews[]) {
  return news.reduce((count, { entries }) => count + entries.length, 0)
}
