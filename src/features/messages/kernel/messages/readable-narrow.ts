import { type RawBuilder, sql } from 'kysely'
import type { MessageRow } from '../../../../db/schema.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { type MessagePlace, topicKey } from '../../../../log/memory/message-place.ts'
import { allOf, type Condition, recipientsNamed } from '../../../../narrow/condition.ts'
import { inMutedTopics, type NarrowLookup } from '../../../../narrow/operators.ts'
import { resolveNarrow } from '../../../../narrow/resolve.ts'
import { conditionToSql, isAnyOf } from '../../../../narrow/sql.ts'
import { parseNarrow, type Term } from '../../../../narrow/terms.ts'
import { type Conversation, messageAskedWith, resolveWith } from '../../../../narrow/with.ts'
import type { AmongUnread } from '../../../kernel/flags/unread.ts'
import {
  mayRead,
  type Visible,
  visibleIn,
  visibleReceived,
  visibleSql,
} from '../../../kernel/messages/access.ts'
import { narrowLookup } from '../../../kernel/messages/narrow.ts'
import { touchedElsewhere } from './touched-messages.ts'

/** A narrow restricted to the messages that one reader may see. */
export type Narrowed = {
  /** Returns the condition on the table `message` m. */
  condition(): Promise<RawBuilder<boolean>>
  /** Returns the condition for messages that are known to be unread, so the reader received them. See firstUnread. */
  amongUnread(): AmongUnread
  /** The search terms, if any. Responses highlight their matches. */
  search: string | undefined
  /** Whether it names exactly one conversation: then the same query plan is good for all values. */
  isOneConversation: boolean
  /** The conversation or topic, if the narrow consists of exactly all of its messages. */
  place: MessagePlace | undefined
  /** Whether the narrow consists of all messages that the reader received or touched. */
  isFeed: boolean
}

/**
 * Resolves a narrow (decoded from JSON) for one reader. It contains all readable history, or only the messages that the
 * reader received.
 */
export async function resolveReadableNarrow(
  context: CallerContext<'read' | 'catchUp'>,
  narrow: unknown,
  { history = true } = {},
): Promise<Narrowed> {
  const { realm, site, me } = context
  const terms = await withoutWith(context, narrow === undefined ? [] : parseNarrow(narrow))
  const lookup = narrowLookup(realm, site, me)
  const condition = resolveNarrow(terms, lookup)
  const searches = terms.filter((term) => term.operator === 'search').map((term) => term.operand)
  const limit = limitOf(context, terms, condition, history)
  return {
    condition: async () =>
      sql`${conditionToSql(condition)} AND ${limit ?? (await receivedOrTouched(context))}`,
    amongUnread: () => amongUnread(terms, lookup),
    search: searches.length === 0 ? undefined : searches.join(' '),
    isOneConversation: recipientsOf(condition)?.length === 1,
    place: limit === nothingMore ? messagePlaceOf(condition) : undefined,
    isFeed: limit === undefined && condition.kind === 'all' && condition.of.length === 0,
  }
}

/** Returns the place whose messages are exactly those of the condition, if there is one. */
function messagePlaceOf(condition: Condition): MessagePlace | undefined {
  const [place, topic, ...more] = condition.kind === 'all' ? condition.of : [condition]
  const [recipient, ...others] = place?.kind === 'recipient' ? place.ids : []
  if (recipient === undefined || others.length > 0 || more.length > 0) return undefined
  if (topic === undefined) return { recipient, topic: undefined }
  return topic.kind === 'topic' ? { recipient, topic: topicKey(topic.name) } : undefined
}

/**
 * Restricts the narrow: to everything readable in the conversations that it names, otherwise (undefined) to messages that
 * the reader received or touched. The second rule also applies if the narrow asks for the reader's own state of messages,
 * or if history is not wanted.
 */
function limitOf(
  { realm, me }: CallerContext,
  terms: Term[],
  condition: Condition,
  history: boolean,
): RawBuilder<boolean> | undefined {
  if (terms.some(asksForUnread)) return nothingMore
  const named = history && !terms.some(asksForOwn) ? recipientsOf(condition) : undefined
  if (!named) return undefined
  const visible: Visible = visibleIn(realm, me, named)
  // If the reader may see everything that the narrow names, no restriction is needed.
  return visible.parts.length === 0 && visible.whole.length === named.length
    ? nothingMore
    : visibleSql(visible)
}

const nothingMore = sql<boolean>`true`

async function withoutWith(context: CallerContext<'read'>, terms: Term[]): Promise<Term[]> {
  const id = messageAskedWith(terms)
  return id === undefined ? terms : resolveWith(terms, await conversationOf(context, id))
}

/** Returns the current conversation of a message if the reader may read it. */
async function conversationOf(
  { realm, me, read }: CallerContext<'read'>,
  id: number,
): Promise<Conversation | undefined> {
  const [message] = await read.rows<Pick<MessageRow, 'id' | 'recipient_id' | 'topic'>>(
    sql`SELECT id, recipient_id, topic FROM message WHERE realm_id = ${realm.id} AND id = ${id}`,
  )
  if (!message || !mayRead(realm, me, message)) return undefined
  const { channel_id, user_ids } = realm.recipients.require(message.recipient_id)
  return user_ids ? { userIds: user_ids } : { channelId: channel_id, topic: message.topic }
}

/**
 * Returns whether a term asks for the reader's own state of a message. Only messages that the reader received have one.
 */
function asksForOwn({ operator, operand }: Term) {
  return operator === 'is' && !['dm', 'resolved', 'followed'].includes(String(operand))
}

/** Returns whether a term asks for unread messages. The reader received them, so no other restriction is needed. */
function asksForUnread({ operator, operand, negated }: Term) {
  return operator === 'is' && operand === 'unread' && !negated
}

/**
 * Returns the condition for the first unread message of a narrow. Muted messages count only if the narrow names them,
 * because clients do not show them: Zulip Terminal 0.7 crashes at start if it does not show the first unread message.
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

/** Matches messages that the reader received, and messages elsewhere that they have starred or reacted to. */
async function receivedOrTouched(context: CallerContext<'read' | 'catchUp'>): Promise<RawBuilder<boolean>> {
  const ids = await touchedElsewhere(context)
  const received = visibleSql(visibleReceived(context.realm, context.me))
  return ids.length === 0 ? received : sql`(${received} OR ${isAnyOf(sql`m.id`, ids, 'bigint')})`
}

/** Returns the conversations that a narrow is limited to, if it names any. */
function recipientsOf(condition: Condition): number[] | undefined {
  if (condition.kind !== 'all') return recipientsNamed(condition)
  for (const part of condition.of) {
    const found = recipientsOf(part)
    if (found) return found
  }
  return undefined
}
