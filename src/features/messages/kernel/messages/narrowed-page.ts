import { type RawBuilder, sql } from 'kysely'
import { planEach, type Reader } from '../../../../db/database.ts'
import type { AccountRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import {
  type PageContent,
  type PageMessage,
  pageColumns,
  readPage,
} from '../../../kernel/messages/page-rows.ts'
import {
  joinSides,
  type MessageWindow,
  pageOfMessages,
  type WindowSide,
} from '../../../kernel/messages/queries.ts'
import { messagingLimits } from './limits.ts'
import type { Narrowed } from './readable-narrow.ts'

/** Returns the messages of the narrow in the window, as pageOfMessages does. */
export async function pageOfNarrowed(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  content: PageContent | undefined,
  narrowed: Narrowed,
  window: MessageWindow,
): Promise<PageMessage[]> {
  const { search, isOneConversation, condition } = narrowed
  if (search !== undefined) return pageOfSearch(read, realm, me, content, narrowed, window)
  // How much of all messages the reader receives determines the best query plan. One that was made for any values reads
  // all messages of the reader to find the newest.
  const reader = isOneConversation ? read : planEach(read)
  return pageOfMessages(reader, realm, me, content, await condition(), window)
}

/**
 * Does the same for a search, whose best plan depends on how rare its words are. Only finding the messages is planned
 * anew: to plan the whole page takes longer than to read it.
 */
async function pageOfSearch(
  ...[read, realm, me, content, narrowed, window]: Parameters<typeof pageOfNarrowed>
): Promise<PageMessage[]> {
  const condition = await narrowed.condition()
  // PostgreSQL walks no further than one conversation goes.
  const mayBeFar = !narrowed.isOneConversation && realm.lastMessageId > messagingLimits.searchedInOneWay
  const reading = mayBeFar ? await narrowed.conditionReading() : undefined
  const places = joinSides(window, (side) => {
    const edge = reading && edgeOf(realm, side)
    return reading && edge !== undefined
      ? readThenFind(realm, reading, condition, side, edge)
      : firstOf(placesSql(realm, condition, side.bound), side)
  })
  const [found] = places ? await read.rows(placesQuery(places)) : []
  if (!found?.ids) return []
  const page = sql`SELECT ${pageColumns(content)}
    FROM unnest(${found.ids}::bigint[], ${found.recipients}::integer[]) AS found(id, recipient_id)
    JOIN message m USING (id, recipient_id) WHERE m.realm_id = ${realm.id}`
  const messages = await readPage(read, realm, me, content, page)
  // If one was moved or deleted meanwhile, others may take its place.
  const isWhole = messages.length === found.count
  return isWhole ? messages : pageOfMessages(planEach(read), realm, me, content, condition, window)
}

/** Where reading messages for the words ends; undefined if PostgreSQL may choose for all of them. */
function edgeOf({ lastMessageId }: RealmState, { isOlder, anchor }: WindowSide): number | undefined {
  const { searchedInOneWay, searchedByReading } = messagingLimits
  const start = Math.max(0, Math.min(anchor, lastMessageId))
  const rest = isOlder ? start : lastMessageId - start
  if (rest <= searchedInOneWay) return undefined
  return isOlder ? start - searchedByReading : start + searchedByReading
}

/**
 * Selects the places of the first messages that match: by reading the messages up to the edge, and if too few of them match,
 * by finding all others by the indexes. PostgreSQL would expect the words to be as frequent in one conversation as in
 * another, and walk through millions of messages where they are frequent only in what the reader does not read.
 */
function readThenFind(
  realm: RealmState,
  reading: RawBuilder<boolean>,
  condition: RawBuilder<boolean>,
  side: WindowSide,
  edge: number,
): RawBuilder<unknown> {
  const { isOlder, bound, limit } = side
  const isNear = isOlder ? sql`m.id > ${edge}` : sql`m.id <= ${edge}`
  const isFar = isOlder ? sql`m.id <= ${edge}` : sql`m.id > ${edge}`
  return sql`WITH near AS MATERIALIZED (${firstOf(placesSql(realm, reading, sql`${bound} AND ${isNear}`), side)}),
      far AS MATERIALIZED (${placesSql(realm, condition, isFar)} AND (SELECT count(*) FROM near) < ${limit})
    ${firstOf(sql`SELECT id, recipient_id FROM (SELECT * FROM near UNION ALL SELECT * FROM far) AS m`, side)}`
}

function placesSql(realm: RealmState, condition: RawBuilder<boolean>, bound: RawBuilder<unknown>) {
  return sql`SELECT m.id, m.recipient_id FROM message m WHERE m.realm_id = ${realm.id} AND ${condition} AND ${bound}`
}

function firstOf(places: RawBuilder<unknown>, { order, limit }: WindowSide) {
  return sql`${places} ORDER BY m.id ${order} LIMIT ${limit}`
}

/** The lists are texts, which only PostgreSQL reads again. */
function placesQuery(places: RawBuilder<unknown>) {
  return sql<{ count: number; ids: string | null; recipients: string | null }>`
    SELECT count(*) AS count, array_agg(id)::text AS ids, array_agg(recipient_id)::text AS recipients
    FROM (${places}) AS place`
}
