import { randomUUID } from 'node:crypto'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { guard, ignore } from '../../lib/guard.ts'
import type { Secrets } from '../../lib/secrets/sealed.ts'
import { logLimits } from '../limits.ts'
import { Followed, Interest, interestMs } from './interest.ts'
import { type Announcement, addNews, callOf, callsFor, type LogNews, parseCall } from './news.ts'

/**
 * Notifies other nodes that a log has grown, and receives such notifications. A lost notification costs a delay, never an event.
 */
export type NodeNotifier = {
  /** Notifies the other nodes that a log has an entry with this number. `news` returns the entries; it is called only if they are sent. */
  announce(realmId: number, lastEventId: number, news?: () => LogNews): void
  listen(listener: NewsListener): void
  /** Receives notifications of an organization from now on. Waits up to a moment for that. */
  follow(realmId: number): Promise<void>
  /** Receives no more of them. */
  unfollow(realmId: number): void
  close(): Promise<void>
}

/** `news`: the new entries, if the call has them. */
type NewsListener = (realmId: number, lastEventId: number, news?: ReceivedNews) => void

/** The new entries of a call. */
export type ReceivedNews = {
  /** The first digits of the epoch of the log; undefined if the other node does not send them. */
  epoch?: string | undefined
  /** Returns the JSON of the entries; undefined if the sender does not have this node's secret. */
  open(): string | undefined
}

/** Which organizations a node follows: those that it names, as servers do; all, as a primary does; or none, as a command does. */
export type Follows = 'named' | 'all' | 'none'

/** A text that nodes send each other: to those that follow an organization, or to all. */
export type Call = { realmId?: number; text: string }

/** A connection that carries calls between the nodes on a database. */
export type Line = {
  /** The size of the longest call. */
  callBytes: number
  /** Encrypts the entries and proves their sender, since other programs can use the line, too. */
  seal: Pick<Secrets, 'seal' | 'open'>
  /** Resolves when the calls are sent. The line does not bring a node its own calls. */
  send(calls: Call[]): Promise<unknown>
  /** Makes the line bring the calls for these organizations. Resolves when it does. */
  follow(realmIds: readonly number[] | 'all'): Promise<unknown>
  unfollow(realmId: number): void
  /** Resolves when the line has ended, with the reason. */
  ended: Promise<unknown>
  /** Sends what is pending, and ends the line. */
  end(): Promise<unknown>
}

/** Opens a line, and passes its calls to `receive`. It is called again when the line has ended, or could not be opened. */
type OpenLine = (receive: (call: string) => void) => Promise<Line>

/** Learns of each failed try to have a line to the other nodes, with its reason, and when there is one again. */
export type LineWatcher = { lost(error: unknown): void; back(): void }

/**
 * Milliseconds for which calls are gathered; longer while they are frequent, as each costs the other nodes as much as
 * several messages.
 */
const gatherMs = 5
const gatherOftenMs = 25
/** Calls within this many milliseconds of each other are frequent. */
const oftenMs = 100
/**
 * Milliseconds for which calls are gathered while no other node follows the organization: hardly any node listens, and
 * a call costs as much as a small write.
 */
const gatherAloneMs = 100
const reconnectMs = 1_000
const closeSeconds = 2

const purpose = 'news between nodes'
/** Milliseconds that the replies of the other nodes may take. Until then, all of them are notified of every write. */
const answerMs = 1_000
/** Seconds for which the first request to an organization waits until its node follows it. */
const followSeconds = 0.5

/**
 * Creates a notifier that sends calls over a line, batched over a moment: with the entries, to the nodes that follow
 * the organization. A node that `follows` none needs no calls, but what it writes may be work for the others, so it
 * notifies all of them.
 */
export function createLineNotifier(
  open: OpenLine,
  watcher: LineWatcher = { lost: ignore, back: ignore },
  follows: Follows = 'named',
): NodeNotifier {
  return new LineNotifier(open, watcher, follows)
}

class LineNotifier implements NodeNotifier {
  private readonly open: OpenLine
  private readonly watcher: LineWatcher
  private readonly follows: Follows
  private readonly id = randomUUID().slice(0, 8)
  private readonly followed: Followed
  private readonly interest = new Interest()
  private readonly pending = new Map<number, Announcement>()
  /** The positions of logs of which other nodes may not know yet. */
  private readonly unannounced = new Map<number, number>()
  private interestTimer: NodeJS.Timeout | undefined
  private readonly listeners: NewsListener[] = []
  private readonly firstTry: Promise<void>
  private line: Line | undefined
  private timer: NodeJS.Timeout | undefined
  private sending: Promise<unknown> = Promise.resolve()
  private sentAt = Number.NEGATIVE_INFINITY
  /** When the other nodes should have announced what they follow, in milliseconds of performance.now(). */
  private sureAt = Number.POSITIVE_INFINITY
  private isLost = false
  private readonly sendPendingSoon = guard(ignore, async () => {
    // While a line is slow, calls are gathered.
    await this.sending
    this.sendPending()
  })
  private readonly repeatInterest = guard(ignore, () => {
    this.interest.forgetSilent()
    this.unannounced.clear()
    this.announceInterest(false)
  })
  private closed = false

  constructor(open: OpenLine, watcher: LineWatcher, follows: Follows) {
    this.open = open
    this.watcher = watcher
    this.follows = follows
    this.followed = new Followed(follows === 'all')
    this.firstTry = this.connect()
  }

  announce(realmId: number, lastEventId: number, news?: () => LogNews) {
    const { news: known, lastEventId: before } = this.pending.get(realmId) ?? { news: [], lastEventId: 0 }
    // The announcements of two workers may arrive in another order than their writes.
    this.pending.set(realmId, { lastEventId: Math.max(before, lastEventId), news: known })
    const isWanted = this.line !== undefined && this.interest.wants(realmId)
    if (news && isWanted && countOf(known) < logLimits.entriesAnnounced) addNews(known, news())
    const isOften = performance.now() - this.sentAt < oftenMs
    const ms = isWanted ? (isOften ? gatherOftenMs : gatherMs) : gatherAloneMs
    this.timer ??= setTimeout(this.sendPendingSoon, ms).unref()
  }

  listen(listener: NewsListener) {
    this.listeners.push(listener)
  }

  async follow(realmId: number) {
    const isNewGroup = this.followed.add(realmId)
    const follow = async () => {
      await this.firstTry
      await this.line?.follow([realmId])
      if (isNewGroup) this.announceInterest(false)
    }
    await withTimeout(
      followSeconds,
      follow().catch(() => {}),
    )
  }

  unfollow(realmId: number) {
    this.followed.delete(realmId)
    this.line?.unfollow(realmId)
  }

  async close() {
    await withTimeout(closeSeconds, this.flush())
    this.closed = true
    clearInterval(this.interestTimer)
    if (this.line) await withTimeout(closeSeconds, this.line.end())
  }

  private async connect() {
    if (this.closed) return
    try {
      const line = await this.open((call) => this.receive(call))
      if (this.closed) return void line.end()
      this.line = line
      this.sureAt = performance.now() + answerMs
      if (this.isLost) this.watcher.back()
      this.isLost = false
      void line.ended.then((error) => this.onDisconnect(error))
      if (this.follows !== 'none') await line.follow(this.follows === 'all' ? 'all' : [...this.followed.all])
      this.sendPending()
      this.announceInterest(true)
      this.interestTimer ??= setInterval(this.repeatInterest, interestMs).unref()
    } catch (error) {
      this.onDisconnect(error)
    }
  }

  private onDisconnect(error: unknown) {
    this.line = undefined
    for (const announcement of this.pending.values()) announcement.news = []
    if (this.closed) return
    this.isLost = true
    this.watcher.lost(error)
    const again = guard(ignore, () => this.connect())
    setTimeout(again, reconnectMs).unref()
  }

  /** Announces what this node follows. `asks`: whether the others must reply with theirs. */
  private announceInterest(asks: boolean) {
    if (this.follows === 'none') return
    this.send(this.followed.calls(this.id, asks).map((text) => ({ text })))
  }

  private receive(call: string) {
    const announced = this.interest.readAnnouncement(call, this.id)
    if (announced) {
      if (announced.asks) this.announceInterest(false)
      return this.sendPositions(announced.isNew)
    }
    const parts = parseCall(call)
    if (!parts) return
    const { realmId, lastEventId, epoch, news } = parts
    const open = () => news && this.line?.seal.open(purpose, [realmId, lastEventId], news)
    for (const listener of this.listeners) listener(realmId, lastEventId, news ? { epoch, open } : undefined)
  }

  /** Sends the positions of logs that another node has begun to follow: it may have read them before this node knew of it. */
  private sendPositions(isNew: (realmId: number) => boolean) {
    const calls: Call[] = []
    for (const [realmId, lastEventId] of this.unannounced) {
      if (!isNew(realmId)) continue
      this.unannounced.delete(realmId)
      calls.push({ realmId, text: callOf({ realmId, lastEventId }) })
    }
    if (calls.length > 0) this.send(calls)
  }

  private sendPending() {
    this.timer = undefined
    const { line } = this
    if (!line) return
    const calls = [...this.pending].flatMap(([realmId, announcement]) =>
      this.callsFor(line, realmId, announcement),
    )
    this.pending.clear()
    if (calls.length === 0) return
    this.sentAt = performance.now()
    this.send(calls)
  }

  private callsFor({ callBytes, seal }: Line, realmId: number, announcement: Announcement): Call[] {
    const { hasOlder } = this.interest
    const texts = () =>
      callsFor(realmId, announcement, callBytes, {
        encode: (text, id) => seal.seal(purpose, [realmId, id], text),
        room: sealedRoom,
        marksEpoch: !hasOlder,
      })
    // Nodes of the version before read only the calls to all.
    if (hasOlder) return texts().map((text) => ({ text }))
    const { lastEventId } = announcement
    const calls: Call[] = this.interest.wants(realmId) ? texts().map((text) => ({ realmId, text })) : []
    const isUnsure = performance.now() < this.sureAt
    if (this.follows === 'none' || isUnsure) calls.push({ text: callOf({ realmId, lastEventId }) })
    if (isUnsure || calls.length === 0) this.unannounced.set(realmId, lastEventId)
    return calls
  }

  private send(calls: Call[]) {
    const { line } = this
    if (line) this.sending = this.sending.then(() => line.send(calls)).catch(() => {})
  }

  // A node that commits and closes immediately has a notification to send, perhaps before it is connected.
  private async flush() {
    await this.firstTry
    clearTimeout(this.timer)
    this.sendPending()
    await this.sending
  }
}

/** Returns how many bytes fit into a sealed text of this size; see Secrets. */
function sealedRoom(bytes: number) {
  return Math.floor((bytes * 3) / 4) - 40
}

function countOf(news: LogNews[]) {
  return news.reduce((count, { entries }) => count + entries.length, 0)
}
