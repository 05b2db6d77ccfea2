import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow, MessageRow } from '../../db/schema.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { within } from '../../queues/audience.ts'
import { isSpectator } from '../channels/web-public.ts'
import { type Reaction, reactionsByMessage } from '../reactions/reactions.ts'
import { type Submessage, submessagesByMessage } from '../widgets/submessages.ts'
import { messageColumns } from './columns.ts'
import { flagsByMessage, type PageContent, type PageMessage, pageColumns, readPage } from './page-rows.ts'
import { wildcardFlags } from './wildcards.ts'

/** A message with what it is to one reader. */
export type ReaderMessage = MessageRow & { in_read: boolean; own_flags: string[] }

/** What a reader's flags on a message depend on. */
type FlaggedMessage = Pick<
  ReaderMessage,
  | 'id'
  | 'recipient_id'
  | 'sender_id'
  | 'read_by_sender'
  | 'mentions_channel'
  | 'topic_mentioned'
  | 'in_read'
  | 'own_flags'
>

/** The same with what others have added to it (null: nothing). */
export type ShownMessage = ReaderMessage & { reactions: Reaction[] | null; submessages: Submessage[] | null }

/** At most `before` messages up to the anchor and `after` messages beyond it that satisfy the condition, by id. */
export async function messagesAround(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  page: Around,
): Promise<ShownMessage[]> {
  const messages = around(messageColumns, realm, condition, page)
  return messages ? show(read, realm, me, messages) : []
}

/** The same in the form in which a page is read fastest: with one of the forms of their content, or without any. */
export async function pageOfMessages(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  content: PageContent | undefined,
  page: Around,
): Promise<PageMessage[]> {
  const messages = around(pageColumns(content), realm, condition, page)
  return messages ? readPage(read, realm, me, content, messages) : []
}

export type Around = { anchor: number; before: number; after: number }

/** Selects messages on both sides of an anchor; undefined if none are wanted. */
function around(
  columns: RawBuilder<unknown>,
  realm: RealmState,
  condition: RawBuilder<boolean>,
  page: Around,
): RawBuilder<unknown> | undefined {
  const some = (bound: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) =>
    sql`(SELECT ${columns} FROM message m WHERE m.realm_id = ${realm.id} AND ${condition} AND m.id ${bound}
      ORDER BY m.id ${order} LIMIT ${limit})`
  // Where nothing can be, nothing is looked for: that may take long.
  const halves = [
    ...(page.before > 0 && page.anchor > 0 ? [some(sql`<= ${page.anchor}`, sql`DESC`, page.before)] : []),
    ...(page.after > 0 ? [some(sql`> ${page.anchor}`, sql`ASC`, page.after)] : []),
  ]
  return halves.length === 0 ? undefined : sql.join(halves, sql` UNION ALL `)
}

/** Those of the messages that satisfy the condition, by id, with all that a message shows. */
export function messagesById(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  ids: number[],
): Promise<ShownMessage[]> {
  return show(
    read,
    realm,
    me,
    sql`SELECT ${messageColumns} FROM message m
      WHERE m.realm_id = ${realm.id} AND ${condition} AND m.id = ANY(${ids}::bigint[])`,
  )
}

/**
 * The page is found first; what belongs to its messages is then looked up for all of them together. The same statement
 * comes with every page, so it is prepared.
 */
function show(read: Reader, realm: RealmState, me: AccountRow, page: RawBuilder<unknown>) {
  const ids = sql`array(SELECT id FROM page)`
  const flags = flagsByMessage(realm.id, me.id, ids)
  return read.prepared<ShownMessage>(
    'page',
    sql`
    WITH page AS MATERIALIZED (${page})
    SELECT m.*, coalesce(s.read @> m.id, false) AS in_read, coalesce(f.own_flags, '{}') AS own_flags,
      r.reactions, w.submessages
    FROM page m
    LEFT JOIN read_state s ON s.realm_id = ${realm.id} AND s.user_id = ${me.id} AND s.recipient_id = m.recipient_id
    LEFT JOIN (${flags}) AS f ON f.message_id = m.id
    LEFT JOIN (${reactionsByMessage(realm.id, ids)}) AS r ON r.message_id = m.id
    LEFT JOIN (${submessagesByMessage(realm.id, ids)}) AS w ON w.message_id = m.id
    ORDER BY m.id`,
  )
}

/** The reader's flags on a message. What was not sent to them counts as read, and is called historical. */
export function flagsFor(realm: RealmState, me: AccountRow, message: FlaggedMessage): string[] {
  if (isSpectator(me)) return ['read']
  const reception = receptionOf(realm, me, message)
  const flags = [...message.own_flags]
  if (isRead(realm, me, message)) flags.push('read')
  if (reception === 'none') flags.push('historical')
  return reception === 'none' ? flags : [...flags, ...wildcardFlags(message, me.id)]
}

export function isRead(
  realm: RealmState,
  me: AccountRow,
  message: Pick<ReaderMessage, 'id' | 'recipient_id' | 'sender_id' | 'read_by_sender' | 'in_read'>,
) {
  const own = message.sender_id === me.id && message.read_by_sender
  return own || message.in_read || receptionOf(realm, me, message) !== 'current'
}

/** Whether a message came to a reader, and if so, in a subscription that lasts or in one that has ended. */
export function receptionOf(
  realm: RealmState,
  me: AccountRow,
  message: Pick<MessageRow, 'id' | 'recipient_id'>,
): 'current' | 'ended' | 'none' {
  const channelId = realm.recipients.get(message.recipient_id)?.channel_id
  if (!channelId) return 'current'
  const received = realm.subscription(me.id, channelId)?.received ?? []
  if (!within(received, message.id)) return 'none'
  const [since, until] = received.at(-1)!
  return until === null && message.id >= since ? 'current' : 'ended'
}
