import { type RawBuilder, sql } from 'kysely'
import type { AccountRow } from '../../../db/schema.ts'
import { lastIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { withRead } from '../../../narrow/own-sql.ts'

/**
 * Returns a query for the reader's unread messages, as `message m … WHERE …`, to which callers may add conditions. It
 * covers messages that the reader received in active subscriptions and in direct conversations and that are not in
 * their read state. The reader's own messages are read if their client said so.
 */
export function unreadSql(realm: RealmState, me: AccountRow): RawBuilder<unknown> {
  return sql`${conversationsSql(realm, me)} CROSS JOIN message m WHERE ${isNotRead(realm)} AND ${isNotOwnRead(me)}`
}

/** A search among the unread messages. */
export type AmongUnread = {
  /** A condition on the table `message` m. */
  condition: RawBuilder<boolean>
  /** Whether to include muted and archived channels. */
  inHidden: boolean
}

/**
 * Returns a query for the oldest matching message, as `id`; null if there is none. It looks only for the oldest message
 * of each conversation.
 */
export function firstUnreadSql(
  realm: RealmState,
  me: AccountRow,
  { condition, inHidden }: AmongUnread,
): RawBuilder<{ id: number | null }> {
  return sql`
    SELECT min(oldest.id) AS id FROM ${conversationsSql(realm, me, inHidden)} CROSS JOIN LATERAL (
      SELECT m.id FROM message m
      WHERE ${isNotRead(realm)} AND ${isNotOwnRead(me)} AND ${condition}
      ORDER BY m.id LIMIT 1) AS oldest`
}

/** The reader's active conversations with what they have read there, as `current`. */
function conversationsSql(realm: RealmState, me: AccountRow, withHidden = true) {
  return withRead(realm.id, me.id, currentConversations(realm, me, withHidden))
}

/** Returns the condition that a `message m` in such a conversation is unread. */
function isNotRead(realm: RealmState) {
  return sql`m.realm_id = ${realm.id} AND m.recipient_id = current.recipient_id
    AND m.id >= greatest(current.since, ${readUpToSql(sql`current.read`)}) AND NOT current.read @> m.id`
}

function isNotOwnRead(me: AccountRow) {
  return sql`NOT (m.sender_id = ${me.id} AND m.read_by_sender)`
}

/**
 * Returns the id below which everything is read: the end of the first range, if that range starts at the beginning.
 * This saves most look-ups.
 */
export function readUpToSql(read: RawBuilder<unknown>) {
  return sql`coalesce((SELECT upper(r) FROM unnest(${read}) r WHERE lower(r) <= 1 LIMIT 1), 0)`
}

/**
 * Returns the reader's active conversations, and the message id at which each began. Muted and archived channels are
 * hidden: clients do not show them beside others.
 */
export function currentConversations(realm: RealmState, me: AccountRow, withHidden = true) {
  const recipients: number[] = []
  const since: number[] = []
  for (const { channel_id, received, is_muted } of realm.subscriptionsOfUser(me.id)) {
    const [from, to] = lastIn(received)
    if (to !== null) continue
    const { recipient_id, is_archived } = realm.channels.require(channel_id)
    if (!withHidden && (is_muted || is_archived)) continue
    recipients.push(recipient_id)
    since.push(from)
  }
  for (const { id } of realm.conversationsOfUser(me.id)) {
    recipients.push(id)
    since.push(0)
  }
  return { recipients, since }
}
