import { type RawBuilder, sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import type { Interval } from '../../../db/values.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { codeOf } from '../../../lib/errors.ts'
import { isInIntervals } from '../../../queues/audience.ts'
import { type Reaction, reactionPairs } from '../reactions/reactions.ts'
import { type Submessage, submessagePairs } from '../widgets/submessages.ts'
import { messageLimits } from './limits.ts'
import type { MessageSegments } from './message-segments.ts'

// A page of messages comes from the database as one row of a few long texts, not as a hundred rows of twenty fields:
// parsing those was half of the work of GET /messages. Fields that every message has come as numbers. Fields that few
// messages have come by message id. The content, which is most of the bytes, comes as the JSON that goes into the
// response.

const numbers = ['id', 'recipient_id', 'sender_id', 'sent_at'] as const
const facts = ['is_me_message', 'mentions_channel', 'read_by_sender'] as const
/** Fields that few messages have. */
const rare = ['edit_history', 'last_edited_at', 'last_moved_at', 'topic_mentioned'] as const

/** A message with one reader's relation to it. */
export type PageMessage = Pick<
  MessageRow,
  (typeof numbers | typeof facts | typeof rare)[number] | 'topic' | 'client'
> & {
  in_read: boolean
  own_flags: readonly string[]
  /** The additions of other users; null if there are none. */
  reactions: Reaction[] | null
  submessages: Submessage[] | null
  /** Its content as JSON. */
  contentJson: string
  /** If it is in memory: the JSON of what readers of a kind see alike. */
  segments?: MessageSegments | undefined
}

/** A reader of messages, in their organization, and the connection by which they are read. */
export type MessageReader = Pick<CallerContext<'read'>, 'realm' | 'me' | 'read'>

/** The form of the content of a page's messages. */
export type PageContent = 'content' | 'rendered_content'

// Built once, from these names alone: building them for each query took a twelfth of the work of GET /messages.
const forms = { content: formOf('content'), rendered_content: formOf('rendered_content'), none: formOf() }

/** `columns`: the columns that a SELECT of `message m` must return. `gathered`: all of its rows in one. */
function formOf(content?: PageContent) {
  const texts = content ? ['topic', 'client', content] : ['topic']
  // Earlier versions may be much longer than all the rest.
  const some: readonly string[] = content ? rare : rare.filter((name) => name !== 'edit_history')
  const columns = [...numbers, ...facts, ...some, ...texts].map((name) => `m.${name}`).join()
  const each = [...numbers, ...facts.map((name) => `${name}::int`)].join()
  const changes = rare.map((name) => (some.includes(name) ? name : 'NULL::jsonb')).join()
  const gathered = `
    array_agg(id) AS ids, array_agg(recipient_id) AS recipients,
    int8multirange(int8range(min(id), max(id), '[]')) AS span,
    string_agg(concat_ws(',', ${each}), ',') AS numbers,
    json_agg(topic) AS topics, ${content ? 'json_agg(client)' : 'NULL'} AS clients,
    ${content ? `string_agg(to_json(${content})::text, E'\\n')` : 'NULL'} AS contents,
    json_object_agg(id, json_build_array(${changes})) FILTER (WHERE num_nonnulls(${changes}) > 0) AS changes`
  return { columns: sql.raw(columns), gathered: sql.raw(gathered) }
}

/** Returns the columns that a SELECT of `message m` must return for readPage. */
export function pageColumns(content: PageContent | undefined): RawBuilder<unknown> {
  return forms[content ?? 'none'].columns
}

const ids = sql.raw('ids')
const nothing = sql.raw('NULL::json')

/** Messages have more text together than one response can have. */
export class PageTooLong extends Error {
  override name = 'PageTooLong'
}

/** PostgreSQL's code for a value that is longer than it can make (program_limit_exceeded): a gigabyte. */
const tooLongToMake = '54000'

/** The texts of a page that have no limit of their own. */
const longTexts = ['contents', 'changes', 'reactions', 'submessages']

/** Whether they have more bytes than one response can have. */
const isTooLong = sql.raw(
  `${longTexts.map((text) => `coalesce(octet_length(${text}::text), 0)::bigint`).join(' + ')}
    > ${messageLimits.longestPageMib * 2 ** 20}`,
)

const textsUnlessTooLong = sql.raw(
  longTexts.map((text) => `CASE WHEN NOT is_too_long THEN ${text} END AS ${text}`).join(),
)

/**
 * Returns the messages of a SELECT, ordered by id, with the reader's relation to them and the additions of other users.
 * Without the content, it reads only the fields that flags depend on. Throws PageTooLong if their texts are too long together: they
 * would take the memory of the whole node.
 */
export async function readPage(
  { read, realm, me }: MessageReader,
  content: PageContent | undefined,
  page: RawBuilder<unknown>,
): Promise<PageMessage[]> {
  const query = sql`
    WITH page AS MATERIALIZED (
      SELECT ${forms[content ?? 'none'].gathered}
      FROM (${page}) AS m),
    added AS MATERIALIZED (
      SELECT ${content ? sql`(${reactionPairs(realm.id, ids)})` : nothing} AS reactions,
        ${content ? sql`(${submessagePairs(realm.id, ids)})` : nothing} AS submessages
      FROM page),
    size AS MATERIALIZED (
      SELECT ${isTooLong} AS is_too_long FROM page, added)
    SELECT is_too_long, numbers, topics, clients, ${textsUnlessTooLong},
      (SELECT json_object_agg(recipient_id, read * span) FROM read_state
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND recipient_id = ANY(recipients)) AS read,
      (SELECT json_agg(json_build_array(message_id, flag) ORDER BY flag) FROM message_flag
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND message_id = ANY(${ids})) AS flags
    FROM page, added, size`
  const [row] = await read.prepared<Columns>('page', query).catch((error) => {
    throw codeOf(error) === tooLongToMake ? new PageTooLong() : error
  })
  if (row?.is_too_long) throw new PageTooLong()
  return row && row.numbers !== null ? messagesOf(row as Page) : []
}

/** Values with the ids of their messages; null if no message has one. */
type Pairs<T> = [messageId: number, item: T][] | null

type Page = {
  is_too_long: boolean
  numbers: string
  topics: string[]
  clients: string[] | null
  contents: string | null
  changes: Record<number, Changes> | null
  /**
   * For each conversation: the ids within the page's range that the reader has read, as PostgreSQL writes multiranges.
   */
  read: Record<number, string> | null
  flags: Pairs<string>
  reactions: Pairs<Reaction>
  submessages: Pairs<Submessage>
}
/** For a page without messages all columns are null. */
type Columns = { [Name in keyof Page]: Page[Name] | null }

/** In the order of `rare`. */
type Changes = [
  PageMessage['edit_history'],
  PageMessage['last_edited_at'],
  PageMessage['last_moved_at'],
  PageMessage['topic_mentioned'],
]
const noChanges: Changes = [null, null, null, null]

function messagesOf(page: Page): PageMessage[] {
  const each = JSON.parse(`[${page.numbers}]`) as number[]
  const width = numbers.length + facts.length
  const contents = page.contents?.split('\n') // JSON contains no line breaks.
  const read = new Map(
    Object.entries(page.read ?? {}).map(([id, ranges]) => [Number(id), intervalsOf(ranges)]),
  )
  const [flags, reactions] = [byMessage(page.flags), byMessage(page.reactions)]
  const submessages = byMessage(page.submessages)
  const messages = page.topics.map((topic, i) => {
    const at = i * width
    const [id, recipient_id] = [each[at]!, each[at + 1]!]
    const [edit_history, last_edited_at, last_moved_at, topic_mentioned] = page.changes?.[id] ?? noChanges
    // Field by field: spreading an object costs as much as everything else here.
    return {
      id,
      recipient_id,
      sender_id: each[at + 2]!,
      sent_at: each[at + 3]!,
      is_me_message: each[at + 4] === 1,
      mentions_channel: each[at + 5] === 1,
      read_by_sender: each[at + 6] === 1,
      in_read: isInIntervals(read.get(recipient_id) ?? [], id),
      topic,
      client: page.clients?.[i] ?? '',
      contentJson: contents?.[i] ?? '',
      edit_history,
      last_edited_at,
      last_moved_at,
      topic_mentioned,
      own_flags: flags.get(id) ?? [],
      reactions: reactions.get(id) ?? null,
      submessages: submessages.get(id) ?? null,
    }
  })
  return messages.sort((a, b) => a.id - b.id)
}

/** Returns the ranges of a multirange as PostgreSQL writes it. */
export function intervalsOf(ranges: string): Interval[] {
  return [...ranges.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)])
}

function byMessage<T>(pairs: Pairs<T>): Map<number, T[]> {
  const items = new Map<number, T[]>()
  for (const [id, item] of pairs ?? []) {
    const known = items.get(id)
    if (known) known.push(item)
    else items.set(id, [item])
  }
  return items
}
