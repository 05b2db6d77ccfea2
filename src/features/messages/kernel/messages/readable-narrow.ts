import { type RawBuilder, sql } from 'kysely'
import type { AccountRow, MessageRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { allOf, type Condition, recipientsNamed } from '../../../../narrow/condition.ts'
import { inMutedTopics, type NarrowLookup } from '../../../../narrow/operators.ts'
import { resolveNarrow } from '../../../../narrow/resolve.ts'
import { conditionToSql, isAnyOf } from '../../../../narrow/sql.ts'
import { parseNarrow, type Term } from '../../../../narrow/terms.ts'
import { type Conversation, followWith, messageAskedWith } from '../../../../narrow/with.ts'
import type { AmongUnread } from '../../../kernel/flags/unread.ts'
import {
  mayRead,
  type Visible,
  visibleIn,
  visibleReceived,
  visibleSql,
} from '../../../kernel/messages/access.ts'
import { narrowLookup } from '../../../kernel/messages/narrow.ts'
import { receptionOf } from '../../../kernel/messages/queries.ts'
import type { Reading } from './page.ts'

/** A narrow as one reader may see it. */
export type Narrowed = {
  /** On the table `message` m. */
  condition: RawBuilder<boolean>
  /** The same of messages that are known to be unread: they have come to the reader. See firstUnread. */
  amongUnread: AmongUnread
  /** What is searched for, if anything: matches of it are shown. */
  search: string | undefined
}

/** A narrow (decoded from JSON), and of it what the reader may see, with all history or only what came to them. */
export async function resolveReadableNarrow(
  reading: Reading,
  narrow: unknown,
  { history = true } = {},
): Promise<Narrowed> {
  const { realm, site, me } = reading
  const terms = await withoutWith(reading, narrow === undefined ? [] : parseNarrow(narrow))
  const lookup = narrowLookup(realm, site, me)
  const condition = resolveNarrow(terms, lookup)
  const searches = terms.filter((term) => term.operator === 'search').map((term) => term.operand)
  return {
    condition: sql`${conditionToSql(condition)} AND ${await limitOf(reading, terms, condition, history)}`,
    amongUnread: amongUnread(terms, lookup),
    search: searches.length === 0 ? undefined : searches.join(' '),
  }
}

/**
 * What limits a narrow to all that the reader may see of the conversations that it names; if it names none, asks for what
 * messages are to the reader, or history is not wanted, to what came to them.
 */
async function limitOf(
  reading: Reading,
  terms: Term[],
  condition: Condition,
  history: boolean,
): Promise<RawBuilder<boolean>> {
  const { realm, me } = reading
  if (terms.some(asksForUnread)) return nothingMore
  const named = history && !terms.some(asksForOwn) ? recipientsOf(condition) : undefined
  if (!named) return receivedOrTouched(reading)
  const visible: Visible = visibleIn(realm, me, named)
  // If all of what the narrow names may be seen, it says everything already.
  return visible.parts.length === 0 && visible.whole.length === named.length
    ? nothingMore
    : visibleSql(visible)
}

const nothingMore = sql<boolean>`true`

async function withoutWith(reading: Reading, terms: Term[]): Promise<Term[]> {
  const id = messageAskedWith(terms)
  return id === undefined ? terms : followWith(terms, await conversationOf(reading, id))
}

/** Where a message is now, if one may read it. */
async function conversationOf({ realm, me, read }: Reading, id: number): Promise<Conversation | undefined> {
  const [message] = await read.rows<Pick<MessageRow, 'id' | 'recipient_id' | 'topic'>>(
    sql`SELECT id, recipient_id, topic FROM message WHERE realm_id = ${realm.id} AND id = ${id}`,
  )
  if (!message || !mayRead(realm, me, message)) return undefined
  const { channel_id, user_ids } = realm.recipients.get(message.recipient_id)!
  return user_ids ? { userIds: user_ids } : { channelId: channel_id!, topic: message.topic }
}

/** Whether a term asks for what a message is to the reader, which only what came to them is. */
function asksForOwn({ operator, operand }: Term) {
  return operator === 'is' && !['dm', 'resolved', 'followed'].includes(String(operand))
}

/** What is unread has come to the reader: it needs no other limit. */
function asksForUnread({ operator, operand, negated }: Term) {
  return operator === 'is' && operand === 'unread' && !negated
}

/**
 * Where a reader goes on with a narrow. What is muted does not count unless the narrow names it, as clients do not show it:
 * Zulip Terminal 0.7 breaks at its start if it does not show the first unread message.
 */
function amongUnread(terms: Term[], lookup: NarrowLookup): AmongUnread {
  const named = new Set(terms.filter((term) => !term.negated).map((term) => term.operator))
  const wanted = resolveNarrow(
    terms.filter((term) => !asksForUnread(term)),
    lookup,
  )
  const notMuted: Condition = { kind: 'not', of: inMutedTopics(lookup) }
  return {
    condition: conditionToSql(named.has('topic') ? wanted : allOf([wanted, notMuted])),
    inHidden: ['channel', 'topic', 'dm'].some((operator) => named.has(operator)),
  }
}

/** What came to a reader, and what they have starred or reacted to elsewhere. */
async function receivedOrTouched(reading: Reading): Promise<RawBuilder<boolean>> {
  const { realm, me } = reading
  const received = visibleSql(visibleReceived(realm, me))
  const ids = await touchedElsewhere(reading)
  return ids.length === 0 ? received : sql`(${received} OR ${isAnyOf(sql`m.id`, ids, 'bigint')})`
}

async function touchedElsewhere({ realm, me, read }: Reading): Promise<number[]> {
  const subscribed = recipientsReceivedWhole(realm, me)
  const messages = await read.prepared<Pick<MessageRow, 'id' | 'recipient_id'>>(
    'touched',
    sql`SELECT m.id, m.recipient_id
      FROM (
        SELECT message_id FROM message_flag WHERE realm_id = ${realm.id} AND user_id = ${me.id}
        UNION SELECT message_id FROM reaction WHERE realm_id = ${realm.id} AND user_id = ${me.id}) AS touched
      JOIN message m ON m.realm_id = ${realm.id} AND m.id = touched.message_id
      WHERE m.recipient_id <> ALL(${subscribed}::integer[])`,
  )
  return messages
    .filter((message) => receptionOf(realm, me, message) === 'none' && mayRead(realm, me, message))
    .map((message) => message.id)
}

/** Conversations of which everything came to the reader: nothing in them is elsewhere. */
function recipientsReceivedWhole(realm: RealmState, me: AccountRow): number[] {
  return [...realm.conversationsOfUser(me.id)].map((row) => row.id)
}

/** The conversations that a narrow is limited to, if it names any. */
function recipientsOf(condition: Condition): number[] | undefined {
  if (condition.kind !== 'all') return recipientsNamed(condition)
  for (const part of condition.of) {
    const found = recipientsOf(part)
    if (found) return found
  }
  return undefined
}
