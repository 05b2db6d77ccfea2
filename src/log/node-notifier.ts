import { randomUUID } from 'node:crypto'
import { guard, ignore } from '../lib/guard.ts'
import type { Secrets } from '../lib/sealed.ts'
import { withTimeout } from '../lib/with-timeout.ts'
import { Followed, Interest, interestMs } from './interest.ts'
import { logLimits } from './limits.ts'
import { type Announcement, addNext, callsOf, type LogNews, partsOf } from './news.ts'

/**
 * Notifies other nodes that a log has grown, and receives such notifications. A lost one costs a delay, never an event.
 */
export type NodeNotifier = {
  /** `news` is called if it is to be sent. */
  announce(realmId: number, lastEventId: number, news?: () => LogNews): void
  listen(listener: NewsListener): void
  /** From now on, hears of an organization. Waits a moment until that is so. */
  follow(realmId: number): Promise<void>
  /** Need not hear of it any more. */
  unfollow(realmId: number): void
  close(): Promise<void>
}

/** `news`: what has been written, if it came along. */
type NewsListener = (realmId: number, lastEventId: number, news?: HeardNews) => void

/** News that came along with a call. */
export type HeardNews = {
  /** The first digits of its epoch; undefined if the other node does not say that. */
  epoch?: string | undefined
  /** Returns its JSON; undefined if it is not of a node with this secret. */
  open(): string | undefined
}

/** The organizations that a node wants to hear of: those that it names, or all; a command wants none. */
export type Follows = 'named' | 'all' | 'none'

/** What goes over a line: for those who follow an organization, or for all. */
export type Call = { realmId?: number; text: string }

/** A connection that carries calls between the nodes on a database. */
export type Line = {
  /** The size of the longest call. */
  callBytes: number
  /** What encrypts news, and tells them from those of others: any user of the line may listen and call. */
  seal: Pick<Secrets, 'seal' | 'open'>
  /** Resolves when they are on their way. The line does not bring a node its own calls. */
  send(calls: Call[]): Promise<unknown>
  /** Brings what is for those who follow these organizations. Resolves when it does. */
  follow(realmIds: readonly number[] | 'all'): Promise<unknown>
  unfollow(realmId: number): void
  /** Resolves when the line has ended, with the reason. */
  ended: Promise<unknown>
  /** Sends what is pending, and ends the line. */
  end(): Promise<unknown>
}

/** Opens a line, and passes on its calls. It is called again when the line, or opening it, has failed. */
type OpenLine = (hear: (call: string) => void) => Promise<Line>

/** Receives the reason for which nodes cannot notify each other: once, however long that lasts. */
export type OnLost = (error: unknown) => void

/** How long calls are gathered; while they come often, longer, as each of them costs the others as much as several messages. */
const gatherMs = 5
const gatherOftenMs = 25
/** Milliseconds since the last calls in which the next ones come often. */
const oftenMs = 100
/** The same while no other node wants news: hardly anyone listens, and a call costs as much as a small write. */
const gatherAloneMs = 100
const reconnectMs = 1_000
const longestFarewell = 2 // seconds

const purpose = 'news between nodes'
/** How long the answers of the other nodes may take. Until then, all of them are told of a write. */
const answerMs = 1_000
/** Seconds for which the first request to an organization waits until its node hears of it. */
const longestFollow = 0.5

/**
 * Notifies by calls over a line, batched over a moment: with the entries, to those nodes that follow the organization. A node
 * that `follows` none need not be told anything, but what it writes may be work for the others, so it tells all of them.
 */
export function wakeBy(open: OpenLine, onLost: OnLost = () => {}, follows: Follows = 'named'): NodeNotifier {
  return new LineWake(open, onLost, follows)
}

class LineWake implements NodeNotifier {
  private readonly open: OpenLine
  private readonly onLost: OnLost
  private readonly follows: Follows
  private readonly id = randomUUID().slice(0, 8)
  private readonly followed: Followed
  private readonly interest = new Interest()
  private readonly news = new Map<number, Announcement>()
  /** How far logs have come of which others may not have heard lately. */
  private readonly untold = new Map<number, number>()
  private interestTimer: NodeJS.Timeout | undefined
  private readonly listeners: NewsListener[] = []
  private readonly firstTry: Promise<void>
  private line: Line | undefined
  private timer: NodeJS.Timeout | undefined
  private telling: Promise<unknown> = Promise.resolve()
  private toldAt = Number.NEGATIVE_INFINITY
  /** When the others should have said what they follow, in milliseconds of performance.now(). */
  private sureAt = Number.POSITIVE_INFINITY
  private isLost = false
  private readonly tellSoon = guard(ignore, async () => {
    // What comes while a line is slow is gathered.
    await this.telling
    this.tell()
  })
  private readonly tellInterestAgain = guard(ignore, () => {
    this.interest.forgetSilent()
    this.untold.clear()
    this.tellInterest(false)
  })
  private closed = false

  constructor(open: OpenLine, onLost: OnLost, follows: Follows) {
    this.open = open
    this.onLost = onLost
    this.follows = follows
    this.followed = new Followed(follows === 'all')
    this.firstTry = this.connect()
  }

  announce(realmId: number, lastEventId: number, news?: () => LogNews) {
    const { news: known, lastEventId: before } = this.news.get(realmId) ?? { news: [], lastEventId: 0 }
    // The announcements of two workers may come in another order than what they have written.
    this.news.set(realmId, { lastEventId: Math.max(before, lastEventId), news: known })
    const isWanted = this.line !== undefined && this.interest.wants(realmId)
    if (news && isWanted && countOf(known) < logLimits.entriesAnnounced) addNext(known, news())
    const isOften = performance.now() - this.toldAt < oftenMs
    const ms = isWanted ? (isOften ? gatherOftenMs : gatherMs) : gatherAloneMs
    this.timer ??= setTimeout(this.tellSoon, ms).unref()
  }

  listen(listener: NewsListener) {
    this.listeners.push(listener)
  }

  async follow(realmId: number) {
    const isNewGroup = this.followed.add(realmId)
    const follow = async () => {
      await this.firstTry
      await this.line?.follow([realmId])
      if (isNewGroup) this.tellInterest(false)
    }
    await withTimeout(
      longestFollow,
      follow().catch(() => {}),
    )
  }

  unfollow(realmId: number) {
    this.followed.delete(realmId)
    this.line?.unfollow(realmId)
  }

  async close() {
    await withTimeout(longestFarewell, this.tellTheRest())
    this.closed = true
    clearInterval(this.interestTimer)
    if (this.line) await withTimeout(longestFarewell, this.line.end())
  }

  private async connect() {
    if (this.closed) return
    try {
      const line = await this.open((call) => this.hear(call))
      if (this.closed) return void line.end()
      this.line = line
      this.sureAt = performance.now() + answerMs
      this.isLost = false
      void line.ended.then((error) => this.lose(error))
      if (this.follows !== 'none') await line.follow(this.follows === 'all' ? 'all' : [...this.followed.all])
      this.tell()
      this.tellInterest(true)
      this.interestTimer ??= setInterval(this.tellInterestAgain, interestMs).unref()
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

  /** Tells the others what this node follows. `asks`: whether they are to answer with theirs. */
  private tellInterest(asks: boolean) {
    if (this.follows === 'none') return
    this.send(this.followed.calls(this.id, asks).map((text) => ({ text })))
  }

  private hear(call: string) {
    const told = this.interest.hear(call, this.id)
    if (told) {
      if (told.asks) this.tellInterest(false)
      return this.catchUp(told.isNew)
    }
    const parts = partsOf(call)
    if (!parts) return
    const { realmId, lastEventId, epoch, news } = parts
    const open = () => news && this.line?.seal.open(purpose, [realmId, lastEventId], news)
    for (const listener of this.listeners) listener(realmId, lastEventId, news ? { epoch, open } : undefined)
  }

  /** Tells a node how far logs have come that it follows from now on: it may have read them before that was known here. */
  private catchUp(isNew: (realmId: number) => boolean) {
    const calls: Call[] = []
    for (const [realmId, lastEventId] of this.untold) {
      if (!isNew(realmId)) continue
      this.untold.delete(realmId)
      calls.push({ realmId, text: `${realmId}:${lastEventId}` })
    }
    if (calls.length > 0) this.send(calls)
  }

  private tell() {
    this.timer = undefined
    const { line } = this
    if (!line) return
    const calls = [...this.news].flatMap(([realmId, announcement]) =>
      this.callsFor(line, realmId, announcement),
    )
    this.news.clear()
    if (calls.length === 0) return
    this.toldAt = performance.now()
    this.send(calls)
  }

  private callsFor({ callBytes, seal }: Line, realmId: number, announcement: Announcement): Call[] {
    const { hasOlder } = this.interest
    const texts = () =>
      callsOf(realmId, announcement, callBytes, {
        of: (text, id) => seal.seal(purpose, [realmId, id], text),
        room: sealedRoom,
        marks: !hasOlder,
      })
    // Nodes of the version before hear only what all hear.
    if (hasOlder) return texts().map((text) => ({ text }))
    const { lastEventId } = announcement
    const calls: Call[] = this.interest.wants(realmId) ? texts().map((text) => ({ realmId, text })) : []
    const isUnsure = performance.now() < this.sureAt
    if (this.follows === 'none' || isUnsure) calls.push({ text: `${realmId}:${lastEventId}` })
    if (isUnsure || calls.length === 0) this.untold.set(realmId, lastEventId)
    return calls
  }

  private send(calls: Call[]) {
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
