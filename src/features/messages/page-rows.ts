import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow } from '../../db/schema.ts'
import type { Interval } from '../../db/values.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { within } from '../../queues/audience.ts'
import { reactionsByMessage } from '../reactions/reactions.ts'
import { submessagesByMessage } from '../widgets/submessages.ts'
import type { ShownMessage } from './queries.ts'

// A page of messages comes from the database as one row of a few long texts, not as a hundred rows of twenty fields:
// taking those apart was half of the work of GET /messages. What every message has comes as numbers; what few have, by
// their ids; and the content, most of all bytes, as the JSON that the answer is made of.

const numbers = ['id', 'recipient_id', 'sender_id', 'sent_at'] as const
const facts = ['is_me_message', 'mentions_channel', 'read_by_sender'] as const
/** What few messages have. */
const rare = ['edit_history', 'last_edited_at', 'last_moved_at', 'topic_mentioned'] as const

/** A message of a page. */
export type PageMessage = Pick<
  ShownMessage,
  | (typeof numbers | typeof facts | typeof rare)[number]
  | 'in_read'
  | 'own_flags'
  | 'reactions'
  | 'submessages'
> & {
  topic: string
  client: string
  /** Its content as JSON. */
  contentJson: string
}

/** Which form of their content the messages of a page have. */
export type PageContent = 'content' | 'rendered_content'

/** What a SELECT of `message m` brings for readPage. */
export function pageColumns(content?: PageContent): RawBuilder<unknown> {
  const texts = content ? ['topic', 'client', content] : ['topic']
  return sql.join([...numbers, ...facts, ...rare, ...texts].map((name) => sql.ref(`m.${name}`)))
}

/**
 * The messages of a SELECT, by id, with what they are to the reader, and what others have added to them. Without their
 * content: only what flags depend on.
 */
export async function readPage(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  content: PageContent | undefined,
  page: RawBuilder<unknown>,
): Promise<PageMessage[]> {
  const ids = sql.ref('ids')
  const fields = [...numbers.map((name) => sql.ref(name)), ...facts.map((name) => sql`${sql.ref(name)}::int`)]
  const changes = sql.join(rare.map((name) => sql.ref(name)))
  const orNothing = (value: RawBuilder<unknown>) => (content ? value : sql`NULL`)
  const [row] = await read.prepared<Columns>(
    'page',
    sql`
    WITH page AS MATERIALIZED (
      SELECT array_agg(id) AS ids, array_agg(recipient_id) AS recipients,
        int8multirange(int8range(min(id), max(id), '[]')) AS span,
        string_agg(concat_ws(',', ${sql.join(fields)}), ',') AS numbers,
        json_agg(topic) AS topics, ${orNothing(sql`json_agg(client)`)} AS clients,
        ${orNothing(sql`string_agg(to_json(${sql.ref(content ?? '')})::text, E'\n')`)} AS contents,
        json_object_agg(id, json_build_array(${changes})) FILTER (WHERE num_nonnulls(${changes}) > 0) AS changes
      FROM (${page}) AS m)
    SELECT numbers, topics, clients, contents, changes,
      (SELECT json_object_agg(recipient_id, array(SELECT ARRAY[lower(part), upper(part)] FROM unnest(read * span) AS part))
        FROM read_state WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND recipient_id = ANY(recipients)) AS read,
      ${byMessage(flagsByMessage(realm.id, me.id, ids), 'own_flags')} AS flags,
      ${orNothing(byMessage(reactionsByMessage(realm.id, ids), 'reactions'))} AS reactions,
      ${orNothing(byMessage(submessagesByMessage(realm.id, ids), 'submessages'))} AS submessages
    FROM page`,
  )
  return row && row.numbers !== null ? messagesOf(row as Page) : []
}

function byMessage(found: RawBuilder<unknown>, column: string) {
  return sql`(SELECT json_object_agg(message_id, ${sql.ref(column)}) FROM (${found}) AS found)`
}

/** The reader's flags on messages with ids that have any. */
export function flagsByMessage(realmId: number, userId: number, ids: RawBuilder<unknown>) {
  return sql`SELECT message_id, array_agg(flag ORDER BY flag) AS own_flags FROM message_flag
    WHERE realm_id = ${realmId} AND user_id = ${userId} AND message_id = ANY(${ids}) GROUP BY message_id`
}

/** What some messages have, by their ids; null if none has it. */
type ById<T> = Record<number, T> | null

type Page = {
  numbers: string
  topics: string[]
  clients: string[] | null
  contents: string | null
  changes: ById<unknown[]>
  /** Of conversations: which ids between those of the page the reader has read. */
  read: ById<Interval[]>
  flags: ById<string[]>
  reactions: ById<NonNullable<PageMessage['reactions']>>
  submessages: ById<NonNullable<PageMessage['submessages']>>
}
/** Of a page without messages all is null. */
type Columns = { [Name in keyof Page]: Page[Name] | null }

function messagesOf(page: Page): PageMessage[] {
  const each = JSON.parse(`[${page.numbers}]`) as number[]
  const contents = page.contents?.split('\n') // JSON has no line break in it.
  const width = numbers.length + facts.length
  const messages = page.topics.map((topic, i) => {
    const [at, id, recipient_id] = [i * width, each[i * width]!, each[i * width + 1]!]
    const changes = page.changes?.[id] as Changes | undefined
    // Field by field: spreading an object costs as much as all the rest here.
    return {
      id,
      recipient_id,
      sender_id: each[at + 2]!,
      sent_at: each[at + 3]!,
      is_me_message: each[at + 4] === 1,
      mentions_channel: each[at + 5] === 1,
      read_by_sender: each[at + 6] === 1,
      in_read: within(page.read?.[recipient_id] ?? [], id),
      topic,
      client: page.clients?.[i] ?? '',
      contentJson: contents?.[i] ?? '',
      edit_history: changes?.[0] ?? null,
      last_edited_at: changes?.[1] ?? null,
      last_moved_at: changes?.[2] ?? null,
      topic_mentioned: changes?.[3] ?? null,
      own_flags: page.flags?.[id] ?? [],
      reactions: page.reactions?.[id] ?? null,
      submessages: page.submessages?.[id] ?? null,
    }
  })
  return messages.sort((a, b) => a.id - b.id)
}

type Changes = [
  PageMessage['edit_history'],
  PageMessage['last_edited_at'],
  PageMessage['last_moved_at'],
  PageMessage['topic_mentioned'],
]
