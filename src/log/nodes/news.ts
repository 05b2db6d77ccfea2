import { mainDatabase } from '../../lib/main-database.ts'
import { lastIn } from '../../lib/must.ts'
import type { Entry } from '../entry.ts'

/**
 * Entries that a node has written, with their bodies, for the other nodes; and the entry before them. A node that has
 * that entry need not read the log.
 */
export type LogNews = {
  /** The name of the database that has them. Nodes of the version before, which know only the main database, do not send it. */
  database?: string
  after: { id: number; stamp: number }
  epoch: string
  /** The last message id after the last of these entries; 0 where that is not known. */
  lastMessageId: number
  entries: Entry[]
}

/** The number of a log's last entry, and the entries that are sent with it. */
export type Announcement = { lastEventId: number; news: LogNews[] }

/** How news is written into calls. */
type NewsCodec = {
  /** Encrypts the text, if programs that are no nodes of this server can read the calls. */
  encode(text: string, lastEventId: number): string
  /** Returns how many bytes of news fit into an encoded text of this size. */
  room(bytes: number): number
  /** Whether calls have the epoch before the news. Nodes of the version before do not understand such calls. */
  marksEpoch?: boolean
}

/** For connections that no other program can read. */
export const plainNews: NewsCodec = { encode: (text) => text, room: (bytes) => bytes }

/** The bytes of a call besides its entries: for its numbers, and for the start of the news. */
const numberBytes = 50
const headBytes = 250

/** The parts of a call. `epoch`: the first digits of the log's epoch, if the call has them. `news`: as a codec has encoded it. */
type CallParts = { realmId: number; lastEventId: number; epoch?: string | undefined; news?: string }

const callPattern = /^(\d{1,10}):(\d{1,15})(?::|$)(?:([0-9a-f]{8}):)?/

/** Characters: more than the pattern can match. */
const longestStart = 40

/** Returns the parts of a call; undefined if it is none. */
export function parseCall(text: string): CallParts | undefined {
  // News may be long, and need not be looked through.
  const [start, realmId, lastEventId, epoch] = callPattern.exec(text.slice(0, longestStart)) ?? []
  if (start === undefined) return undefined
  const parts: CallParts = { realmId: Number(realmId), lastEventId: Number(lastEventId) }
  if (epoch !== undefined) parts.epoch = epoch
  if (text.length > start.length) parts.news = text.slice(start.length)
  else if (start.endsWith(':')) return undefined
  return parts
}

/** Writes a call from its parts. */
export function callOf({ realmId, lastEventId, epoch, news }: CallParts): string {
  const start = `${realmId}:${lastEventId}`
  if (news === undefined) return start
  return epoch === undefined ? `${start}:${news}` : `${start}:${epoch}:${news}`
}

/** The first digits of an epoch, which tell it from others. */
export function epochMark(epoch: string): string {
  return epoch.slice(0, 8)
}

/**
 * Returns the calls of an announcement: first those with the news, up to an entry that does not fit into a call of `bytes`, and then one with
 * the number of the last entry alone, for nodes that cannot use the others.
 */
export function callsFor(
  realmId: number,
  { lastEventId, news }: Announcement,
  bytes: number,
  codec: NewsCodec,
): string[] {
  const calls: string[] = []
  const room = codec.room(bytes - numberBytes) - headBytes
  for (const { entries, ...from } of news) {
    let { after } = from
    let texts: string[] = []
    let size = 0
    let last = after
    const end = () => {
      if (texts.length === 0) return
      // If only a part of the run fits, other nodes would know message ids before the messages.
      const lastMessageId = last.id === lastIn(entries).id ? from.lastMessageId : 0
      const head = JSON.stringify({ ...from, lastMessageId, after }).slice(0, -1)
      const epoch = codec.marksEpoch ? epochMark(from.epoch) : undefined
      const encoded = codec.encode(`${head},"entries":[${texts.join()}]}`, last.id)
      calls.push(callOf({ realmId, lastEventId: last.id, epoch, news: encoded }))
      after = last
      texts = []
      size = 0
    }
    for (const entry of entries) {
      const text = JSON.stringify(entry)
      const length = Buffer.byteLength(text) + 1
      if (size + length > room) end()
      if (length > room) break
      texts.push(text)
      size += length
      last = { id: entry.id, stamp: entry.stamp }
    }
    end()
  }
  return [...calls, callOf({ realmId, lastEventId })]
}

/** Adds news to the runs that wait to be announced: to the last run, if it continues that. */
export function addNews(known: LogNews[], next: LogNews) {
  const run = known.at(-1)
  const isThere = run?.epoch === next.epoch && run.database === next.database
  if (isThere && lastIn(run.entries).id === next.after.id) {
    for (const entry of next.entries) run.entries.push(entry)
    run.lastMessageId = next.lastMessageId
  } else known.push({ ...next, entries: [...next.entries] })
}

/**
 * Returns the entries in news that continue a state, which is read from the database with this name. `isWhole`: whether the state then has all
 * entries of the news.
 */
export function continuationOf(
  news: readonly LogNews[],
  { position, stamp, epoch: ownEpoch }: { position: number; stamp: number; epoch: string },
  databaseName: string,
): { entries: Entry[]; lastMessageId: number; isWhole: boolean } {
  const found: Entry[] = []
  let last = { id: position, stamp }
  let lastMessage = 0
  for (const { database = mainDatabase, after, epoch, lastMessageId, entries } of news) {
    const isOther = epoch !== ownEpoch
    const known = entries.findIndex(({ id }) => id > last.id)
    if (!isOther && known < 0) continue
    const before = known === 0 ? after : entries[known - 1]!
    const continues = before?.id === last.id && before.stamp === last.stamp
    if (isOther || database !== databaseName || !continues) {
      return { entries: found, lastMessageId: lastMessage, isWhole: false }
    }
    for (const entry of known === 0 ? entries : entries.slice(known)) found.push(entry)
    lastMessage = Math.max(lastMessage, lastMessageId)
    last = lastIn(entries)
  }
  return { entries: found, lastMessageId: lastMessage, isWhole: true }
}
