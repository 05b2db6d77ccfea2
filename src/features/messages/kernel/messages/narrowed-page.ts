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
import { responseBytesOf } from './text-lengths.ts'

/**
 * Returns the messages of the narrow in the window, as pageOfMessages does. `measures`: if it is a search, measures what it finds, and
 * reduces the window to what one page has room for.
 */
export async function pageOfNarrowed(
  reader: MessageReader,
  content: PageContent | undefined,
  narrowed: Narrowed,
  window: MessageWindow,
  measures = false,
): Promise<PageMessage[]> {
  const { search, isOneConversation, condition } = narrowed
  if (search !== undefined) return pageOfSearch(reader, content, narrowed, window, measures)
  // The best query plan depends on how large a part of all messages the reader receives. A plan for any values would read all messages of the
  // reader to find the newest.
  const planned = isOneConversation ? reader : planningEach(reader)
  return pageOfMessages(planned, content, await condition(), window)
}

/**
 * Returns the messages of a search. The best plan for finding them depends on how rare the words are, so that query is planned for its values.
 * The page itself is read by a prepared statement, as planning it takes longer than reading it.
 */
async function pageOfSearch(
  ...[reader, content, narrowed, window, measures]: Parameters<typeof pageOfNarrowed>
): Promise<PageMessage[]> {
  const { read, realm } = reader
  const condition = await narrowed.condition()
  const places: Places[] = []
  const sides = sidesOf(window)
  const room = (messagingLimits.pageMib * 2 ** 20) / sides.length
  for (const side of sides) {
    // In one conversation, PostgreSQL never reads further than its messages.
    const isFar = !narrowed.isOneConversation && mayBeFar(realm, side)
    const found = await (isFar ? nextThenAll : inOneWay)(read, realm, condition, side)
    const fitting = content && measures ? await fittingPlaces(reader, content, found, room) : found
    places.push(fitting)
    if (fitting === found) continue
    if (side.isOlder) window.before = fitting.count
    else window.after = fitting.count
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

/** Returns as many of the places, from the anchor on, as a page has room for: the same if that is all of them. */
async function fittingPlaces(
  { read, realm }: MessageReader,
  content: PageContent,
  found: Places,
  room: number,
): Promise<Places> {
  // The message at the anchor, and one more, are returned however long they are.
  if (found.count <= 2) return found
  const [fitting] = await read.rows<Places>(sql`
    SELECT count(*) AS count, array_agg(id ORDER BY place)::text AS ids,
      array_agg(recipient_id ORDER BY place)::text AS recipients
    FROM (
      SELECT m.id, m.recipient_id, place, sum(${responseBytesOf(content)}) OVER (ORDER BY place) AS total
      FROM unnest(${found.ids}::bigint[], ${found.recipients}::integer[])
        WITH ORDINALITY AS found(id, recipient_id, place)
      JOIN message m USING (id, recipient_id) WHERE m.realm_id = ${realm.id}) AS measured
    WHERE total <= ${room} OR place <= 2`)
  return fitting && fitting.count < found.count ? fitting : found
}

function planningEach({ realm, me, read }: MessageReader): MessageReader {
  return { realm, me, read: withCustomPlans(read) }
}

/** How many messages were found, and the arrays of their ids and of their conversations' ids, as PostgreSQL writes them; null without messages. */
type Places = { count: number; ids: string | null; recipients: string | null }

/** Whether PostgreSQL could read very many messages on this side, one after the other. */
function mayBeFar({ lastMessageId }: RealmState, { isOlder, anchor }: WindowSide): boolean {
  const start = Math.max(0, Math.min(anchor, lastMessageId))
  const rest = isOlder ? start : lastMessageId - start
  return rest > messagingLimits.searchedInOneWay
}

function inOneWay(read: Reader, realm: RealmState, condition: RawBuilder<boolean>, side: WindowSide) {
  return firstPlaces(read, placesSql(realm, condition, side), side)
}

/**
 * Looks for matches among the next few messages. If there are too few, but enough to expect the rest among more of the next messages, looks among
 * those. If there are still too few, finds all matches by the indexes. PostgreSQL itself would expect the words to be equally frequent in all
 * conversations, and read millions of messages if they are frequent only in conversations that the reader may not read.
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
  // Materialized, so that PostgreSQL does not see the limit: for a few messages, it would plan to read one after the other.
  const all = sql`WITH found AS MATERIALIZED (${placesSql(realm, condition, side)}) SELECT * FROM found AS m`
  return firstPlaces(read, all, side)
}

function placesSql(realm: RealmState, condition: RawBuilder<boolean>, { bound }: WindowSide) {
  return sql`SELECT m.id, m.recipient_id FROM message m WHERE m.realm_id = ${realm.id} AND ${condition} AND ${bound}`
}

function nextMessages(realm: RealmState, { bound, order }: WindowSide, count: number) {
  return sql`SELECT * FROM message m WHERE m.realm_id = ${realm.id} AND ${bound} ORDER BY m.id ${order} LIMIT ${count}`
}

/** Returns the messages of a side that are nearest to the anchor. `places`: a SELECT from `m` that an ORDER BY may follow. */
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
