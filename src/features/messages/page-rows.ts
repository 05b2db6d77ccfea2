import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow } from '../../db/schema.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { reactionsByMessage } from '../reactions/reactions.ts'
import { submessagesByMessage } from '../widgets/submessages.ts'
import type { ShownMessage } from './queries.ts'

// A page of messages comes from the database as one row of a few long texts, not as a hundred rows of twenty fields:
// taking those apart was half of the work of GET /messages. What every message has comes as numbers; what few have, as
// a list of its own; and the content, most of all bytes, as the JSON that the answer is made of.

const numbers = ['id', 'recipient_id', 'sender_id', 'sent_at'] as const
const facts = ['is_me_message', 'mentions_channel', 'read_by_sender'] as const
const rare = ['edit_history', 'last_edited_at', 'last_moved_at', 'topic_mentioned'] as const
/** What is rare, and not in the table of messages. */
const added = ['own_flags', 'reactions', 'submessages'] as const

type Numbers = Pick<ShownMessage, (typeof numbers)[number]>
type Facts = Pick<ShownMessage, (typeof facts)[number] | 'in_read'>
type Rare = Pick<ShownMessage, (typeof rare)[number] | (typeof added)[number]>

/** A message of a page. */
export type PageMessage = Numbers &
  Facts &
  Rare & {
    topic: string
    client: string
    /** Its content as JSON. */
    contentJson: string
  }

/** Which form of their content the messages of a page have. */
export type PageContent = 'content' | 'rendered_content'

/** What a SELECT of `message m` brings for readPage. */
export function pageColumns(content: PageContent): RawBuilder<unknown> {
  return sql.join(
    [...numbers, ...facts, ...rare, 'topic', 'client', content].map((name) => sql.ref(`m.${name}`)),
  )
}

/** The messages of a SELECT, by id, with what they are to the reader and what others have added to them. */
export async function readPage(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  content: PageContent,
  page: RawBuilder<unknown>,
): Promise<PageMessage[]> {
  const ids = sql`array(SELECT id FROM page)`
  const rarities = refs([...rare, ...added])
  const [row] = await read.prepared<Columns>(
    'page',
    sql`
    WITH page AS MATERIALIZED (${page}), shown AS (
      SELECT m.*, coalesce(s.read @> m.id, false) AS in_read, f.own_flags, r.reactions, w.submessages
      FROM page m
      LEFT JOIN read_state s ON s.realm_id = ${realm.id} AND s.user_id = ${me.id} AND s.recipient_id = m.recipient_id
      LEFT JOIN (${flagsByMessage(realm.id, me.id, ids)}) AS f ON f.message_id = m.id
      LEFT JOIN (${reactionsByMessage(realm.id, ids)}) AS r ON r.message_id = m.id
      LEFT JOIN (${submessagesByMessage(realm.id, ids)}) AS w ON w.message_id = m.id
      ORDER BY m.id)
    SELECT string_agg(concat_ws(',', ${sql.join([...refs(numbers), ...refs([...facts, 'in_read']).map(asNumber)])}), '],[') AS numbers,
      string_agg(to_json(topic)::text, ',') AS topics, string_agg(to_json(client)::text, ',') AS clients,
      string_agg(to_json(${sql.ref(content)})::text, E'\n') AS contents,
      json_agg(json_build_array(id, ${sql.join(rarities)})) FILTER (WHERE ${anyOf(rarities)})::text AS rare
    FROM shown`,
  )
  return row && row.numbers !== null ? messagesOf(row as Page) : []
}

/** The reader's flags on messages with ids that have any. */
export function flagsByMessage(realmId: number, userId: number, ids: RawBuilder<unknown>) {
  return sql`SELECT message_id, array_agg(flag ORDER BY flag) AS own_flags FROM message_flag
    WHERE realm_id = ${realmId} AND user_id = ${userId} AND message_id = ANY(${ids}) GROUP BY message_id`
}

type Page = { numbers: string; topics: string; clients: string; contents: string; rare: string | null }
/** Of a page without messages all is null. */
type Columns = { [Name in keyof Page]: Page[Name] | null }

function messagesOf(page: Page): PageMessage[] {
  const rows = JSON.parse(`[[${page.numbers}]]`) as number[][]
  const topics = JSON.parse(`[${page.topics}]`) as string[]
  const clients = JSON.parse(`[${page.clients}]`) as string[]
  const contents = page.contents.split('\n') // JSON has no line break in it.
  const rarities = raritiesOf(page.rare)
  // Field by field: spreading an object costs as much as all the rest here.
  return rows.map((row, index) => {
    const more = rarities.get(row[0]!) ?? nothingRare
    return {
      id: row[0]!,
      recipient_id: row[1]!,
      sender_id: row[2]!,
      sent_at: row[3]!,
      is_me_message: row[4] === 1,
      mentions_channel: row[5] === 1,
      read_by_sender: row[6] === 1,
      in_read: row[7] === 1,
      topic: topics[index]!,
      client: clients[index]!,
      contentJson: contents[index]!,
      edit_history: more.edit_history,
      last_edited_at: more.last_edited_at,
      last_moved_at: more.last_moved_at,
      topic_mentioned: more.topic_mentioned,
      own_flags: more.own_flags,
      reactions: more.reactions,
      submessages: more.submessages,
    }
  })
}

const nothingRare: Rare = {
  edit_history: null,
  last_edited_at: null,
  last_moved_at: null,
  topic_mentioned: null,
  own_flags: [],
  reactions: null,
  submessages: null,
}

function raritiesOf(json: string | null): Map<number, Rare> {
  const rows = JSON.parse(json ?? '[]') as [number, ...unknown[]][]
  const names = [...rare, ...added]
  return new Map(
    rows.map(([id, ...values]) => {
      const named = Object.fromEntries(names.map((name, index) => [name, values[index]])) as Rare
      return [id, { ...named, own_flags: named.own_flags ?? [] }]
    }),
  )
}

function refs(names: readonly string[]) {
  return names.map((name) => sql.ref(name))
}

function asNumber(fact: RawBuilder<unknown>) {
  return sql`${fact}::int`
}

function anyOf(columns: RawBuilder<unknown>[]) {
  return sql.join(
    columns.map((column) => sql`${column} IS NOT NULL`),
    sql` OR `,
  )
}
