import { lastIn } from '../lib/must.ts'
import type { Entry } from './entry.ts'

/**
 * What a node has written, for the others: entries with their bodies, and the entry that they follow. A node that has that
 * one need not read the log.
 */
export type LogNews = {
  /** The name of the database that has them. Nodes of the version before, which know only the main one, do not tell it. */
  database?: string
  after: { id: number; stamp: number }
  epoch: string
  /** The last message id after the last of these entries; 0 where that is not known. */
  lastMessageId: number
  entries: Entry[]
}

/** How far a log has come, and how, if that is to be told. */
export type Announcement = { lastEventId: number; news: LogNews[] }

/** Makes a text of news that others cannot read. `room`: how many bytes of news fit into such a text. */
export type Code = { of(text: string, lastEventId: number): string; room(bytes: number): number }

const plain: Code = { of: (text) => text, room: (bytes) => bytes }
/** What a call has besides entries: its numbers; and before the entries, the start of the news. */
const numberBytes = 40
const headBytes = 250

const call = /^(\d{1,10}):(\d{1,15})(?::(.+))?$/s

/** Returns the parts of a call; undefined if it is none. `news` is as `callsOf` has written it. */
export function partsOf(text: string) {
  const [, realmId, lastEventId, news] = call.exec(text) ?? []
  if (!realmId || !lastEventId) return undefined
  return { realmId: Number(realmId), lastEventId: Number(lastEventId), news }
}

/**
 * Returns the calls that announce something: with news as far as one entry fits into a call, and in the end with the number
 * alone, for nodes that did not understand them.
 */
export function callsOf(
  realmId: number,
  { lastEventId, news }: Announcement,
  bytes: number,
  code: Code = plain,
): string[] {
  const calls: string[] = []
  const room = code.room(bytes - numberBytes) - headBytes
  for (const { entries, ...from } of news) {
    let { after } = from
    let texts: string[] = []
    let size = 0
    let last = after
    const end = () => {
      if (texts.length === 0) return
      // With part of the run, ids of messages would be known before the messages.
      const lastMessageId = last.id === lastIn(entries).id ? from.lastMessageId : 0
      const head = JSON.stringify({ ...from, lastMessageId, after }).slice(0, -1)
      calls.push(`${realmId}:${last.id}:${code.of(`${head},"entries":[${texts.join()}]}`, last.id)}`)
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
  return [...calls, `${realmId}:${lastEventId}`]
}

/** Adds news to those that wait to be announced: to the last run, if they follow it. */
export function addNext(known: LogNews[], next: LogNews) {
  const run = known.at(-1)
  const isThere = run?.epoch === next.epoch && run.database === next.database
  if (isThere && lastIn(run.entries).id === next.after.id) {
    for (const entry of next.entries) run.entries.push(entry)
    run.lastMessageId = next.lastMessageId
  } else known.push({ ...next, entries: [...next.entries] })
}
