import { type RawBuilder, sql } from 'kysely'
import { type Reader, withCustomPlans } from '../../../../db/database.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import {
  type MessageWindow,
  pageOfMessages,
  sidesOf,
  type WindowSide,
} from '../../../kernel/messages/page-queries.ts'
import {
  type MessageReader,
  type PageContent,
  type PageMessage,
  pageColumns,
  readPage,
} from '../../../kernel/messages/page-rows.ts'
import { messagingLimits } from './limits.ts'
import type { Narrowed } from './readable-narrow.ts'

/** Returns the messages of the narrow in the window, as pageOfMessages does. */
export async function pageOfNarrowed(
  reader: MessageReader,
  content: PageContent | undefined,
  narrowed: Narrowed,
  window: MessageWindow,
): Promise<PageMessage[]> {
  const { search, isOneConversation, condition } = narrowed
  if (search !== undefined) return pageOfSearch(reader, content, narrowed, window)
  // How much of all messages the reader receives determines the best query plan. One that was made for any values reads
  // all messages of the reader to find the newest.
  const planned = isOneConversation ? reader : planningEach(reader)
  return pageOfMessages(planned, content, await condition(), window)
}

/**
 * Returns the messages of a search, whose best plan depends on how rare its words are. Only finding the messages is planned anew:
 * to plan the whole page takes longer than to read it.
 */
async function pageOfSearch(
  ...[reader, content, narrowed, window]: Parameters<typeof pageOfNarrowed>
): Promise<PageMessage[]> {
  const { read, realm } = reader
  const condition = await narrowed.condition()
  const places: Places[] = []
  for (const side of sidesOf(window)) {
    // PostgreSQL walks no further than one conversation goes.
    const isFar = !narrowed.isOneConversation && mayBeFar(realm, side)
    places.push(await (isFar ? nextThenAll : inOneWay)(read, realm, condition, side))
  }
  const count = places.reduce((sum, found) => sum + found.count, 0)
  if (count === 0) return []
  const ids = sql.join(
    places.map((found) => sql`${found.ids}::bigint[]`),
    sql` || `,
  )
  const recipients = sql.join(
    places.map((found) => sql`${found.recipients}::integer[]`),
    sql` || `,
  )
  const page = sql`SELECT ${pageColumns(content)} FROM unnest(${ids}, ${recipients}) AS found(id, recipient_id)
    JOIN message m USING (id, recipient_id) WHERE m.realm_id = ${realm.id}`
  const messages = await readPage(reader, content, page)
  // If one was moved or deleted meanwhile, others may take its place.
  const isWhole = messages.length === count
  return isWhole ? messages : pageOfMessages(planningEach(reader), content, condition, window)
}

function planningEach({ realm, me, read }: MessageReader): MessageReader {
  return { realm, me, read: withCustomPlans(read) }
}

/** The ids of messages and of their conversations, as texts that only PostgreSQL reads; null without messages. */
type Places = { count: number; ids: string | null; recipients: string | null }

/** Whether PostgreSQL could walk through very many messages on this side. */
function mayBeFar({ lastMessageId }: RealmState, { isOlder, anchor }: WindowSide): boolean {
  const start = Math.max(0, Math.min(anchor, lastMessageId))
  const rest = isOlder ? start : lastMessageId - start
  return rest > messagingLimits.searchedInOneWay
}

function inOneWay(read: Reader, realm: RealmState, condition: RawBuilder<boolean>, side: WindowSide) {
  return firstPlaces(read, placesSql(realm, condition, side), side)
}

/**
 * Reads the next few messages for those that match. If too few do, but suggest that enough of the next many will, reads those. If
 * too few match even so, finds all by the indexes. Left to itself, PostgreSQL would expect the words to be as frequent in one conversation
 * as in another, and walk through millions of messages where they are frequent only in what the reader does not read.
 */
async function nextThenAll(
  read: Reader,
  realm: RealmState,
  condition: RawBuilder<boolean>,
  side: WindowSide,
): Promise<Places> {
  const { searchedFirst, searchedByReading } = messagingLimits
  const amongNext = (count: number) =>
    firstPlaces(
      read,
      sql`SELECT id, recipient_id FROM (${nextMessages(realm, side, count)}) AS m WHERE ${condition}`,
      side,
    )
  const near = await amongNext(searchedFirst)
  if (near.count >= side.limit) return near
  if (near.count * (searchedByReading / searchedFirst) >= side.limit) {
    const more = await amongNext(searchedByReading)
    if (more.count >= side.limit) return more
  }
  // Without a limit that PostgreSQL sees: for a few messages it would plan to walk.
  const all = sql`WITH found AS MATERIALIZED (${placesSql(realm, condition, side)}) SELECT * FROM found AS m`
  return firstPlaces(read, all, side)
}

function placesSql(realm: RealmState, condition: RawBuilder<boolean>, { bound }: WindowSide) {
  return sql`SELECT m.id, m.recipient_id FROM message m WHERE m.realm_id = ${realm.id} AND ${condition} AND ${bound}`
}

function nextMessages(realm: RealmState, { bound, order }: WindowSide, count: number) {
  return sql`SELECT * FROM message m WHERE m.realm_id = ${realm.id} AND ${bound} ORDER BY m.id ${order} LIMIT ${count}`
}

/** Returns the first of these places of a side: a SELECT from `m` that an ORDER BY may follow. */
async function firstPlaces(
  read: Reader,
  places: RawBuilder<unknown>,
  { order, limit }: WindowSide,
): Promise<Places> {
  const found = await read.rows<Places>(sql`
    SELECT count(*) AS count, array_agg(id)::text AS ids, array_agg(recipient_id)::text AS recipients
    FROM (${places} ORDER BY m.id ${order} LIMIT ${limit}) AS place`)
  return firstIn(found)
}
