import { type RawBuilder, sql } from 'kysely'
import type { AccountRow } from '../../../db/schema.ts'
import { type Selection, selectionOfOne } from '../../../db/selection.ts'
import { lastIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import { mutingOf, type TopicPolicy, topicPoliciesQuery } from '../topics/visibility.ts'
import { flagLimits } from './limits.ts'

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

/** The reader's active conversations, as `current`, and what they have read there, as `s`. */
function conversationsSql(realm: RealmState, me: AccountRow, withHidden = true) {
  const { recipients, since } = currentConversations(realm, me, withHidden)
  return sql`unnest(${recipients}::integer[], ${since}::bigint[]) AS current(recipient_id, since)
    LEFT JOIN read_state s
      ON s.realm_id = ${realm.id} AND s.user_id = ${me.id} AND s.recipient_id = current.recipient_id`
}

/** Returns the condition that a `message m` in such a conversation is unread. */
function isNotRead(realm: RealmState) {
  return sql`m.realm_id = ${realm.id} AND m.recipient_id = current.recipient_id
    AND m.id >= greatest(current.since, ${readUpTo(sql`s.read`)}) AND NOT coalesce(s.read @> m.id, false)`
}

function isNotOwnRead(me: AccountRow) {
  return sql`NOT (m.sender_id = ${me.id} AND m.read_by_sender)`
}

/**
 * Returns the id below which everything is read: the end of the first range, if that range starts at the beginning.
 * This saves most look-ups.
 */
function readUpTo(read: RawBuilder<unknown>) {
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

/**
 * `unread_msgs` of POST /register: the newest 50,000 unread messages by conversation. Muted messages are not in
 * `count`, and are in `mentions` only if they mention the reader by name.
 */
export function unreadMessages(realm: RealmState, me: AccountRow): Selection<UnreadMessages> {
  return selectionOfOne(newestUnreadSql(realm, me), (found) => summaryOf(realm, me, found))
}

export type UnreadMessages = ReturnType<typeof summaryOf>

function summaryOf(realm: RealmState, me: AccountRow, found: FoundUnread) {
  const groups = grouped(found)
  const isMuted = mutingOf(realm, me, found.policies ?? [])
  const mutedGroups = groups.filter(([recipient, topic]) => {
    const { channel_id } = realm.recipients.require(recipient)
    return channel_id !== null && isMuted(channel_id, topic)
  })
  const muted = new Set(mutedGroups.flatMap(([, , ids]) => ids))
  const named = new Set(found.named)
  return {
    ...conversations(realm, me, groups),
    mentions: (found.mentions ?? []).filter((id) => !muted.has(id) || named.has(id)),
    count: groups.reduce((sum, [, , ids]) => sum + ids.length, 0) - muted.size,
    old_unreads_missing: found.isMissing,
  }
}

/** The unread messages of a conversation under one spelling of a topic, in ascending order. */
type Group = [recipient: number, topic: string, ids: number[]]

/** The messages in ascending order, and of each its conversation and topic; those that mention the reader in any way, and by name. */
type FoundUnread = {
  isMissing: boolean
  ids: number[] | null
  recipients: number[] | null
  topics: string[] | null
  mentions: number[] | null
  named: number[] | null
  policies: TopicPolicy[] | null
}

/**
 * Finds the newest unread messages. The query first finds the ids from an index alone, between what was read in each
 * conversation, and then looks them up in order. PostgreSQL returns one list for each column: parsing separate rows would
 * be most of the work, and to group them it would sort all topics. The plan of a prepared statement is good for any
 * values: it goes from conversation to conversation, and in each back from the newest message.
 */
function newestUnreadSql(realm: RealmState, me: AccountRow) {
  const most = flagLimits.unreadMessages
  const { recipients, since } = currentConversations(realm, me)
  return sql<FoundUnread>`
    WITH newest AS MATERIALIZED (
      SELECT ARRAY(
        SELECT m.id FROM unnest(${recipients}::integer[], ${since}::bigint[]) AS current(recipient_id, since)
        CROSS JOIN LATERAL unnest(int8multirange(int8range(current.since, NULL)) - coalesce((
          SELECT read FROM read_state
          WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND recipient_id = current.recipient_id), '{}')) AS gap
        CROSS JOIN LATERAL (
          SELECT id FROM message
          WHERE realm_id = ${realm.id} AND recipient_id = current.recipient_id
            AND id >= lower(gap) AND id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint)
          ORDER BY id DESC LIMIT ${most + 1}) AS m
        ORDER BY m.id DESC LIMIT ${most + 1}) AS ids),
    naming AS MATERIALIZED (
      SELECT message_id FROM message_flag
      WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND flag = 'mentioned')
    SELECT (SELECT cardinality(ids) > ${most} FROM newest) AS "isMissing",
      json_agg(id) AS ids, json_agg(recipient_id) AS recipients, json_agg(topic) AS topics,
      json_agg(id) FILTER (WHERE mentions_channel OR ${me.id} = ANY(topic_mentioned) OR is_named) AS mentions,
      json_agg(id) FILTER (WHERE is_named) AS named,
      (SELECT json_agg(policy) FROM (${topicPoliciesQuery(realm, me)}) AS policy) AS policies
    FROM (
      SELECT id, recipient_id, topic, mentions_channel, topic_mentioned,
        id IN (SELECT message_id FROM naming) AS is_named
      FROM message
      WHERE realm_id = ${realm.id} AND id = ANY((SELECT ids[1:${most}] FROM newest)::bigint[])
        AND NOT (sender_id = ${me.id} AND read_by_sender)
      ORDER BY id) AS unread`
}

/** Groups the messages by conversation and topic, in the order of the first message of each. */
function grouped({ ids, recipients, topics }: FoundUnread): Group[] {
  const groups: Group[] = []
  const known = new Map<number, Map<string, Group>>()
  for (const [i, id] of (ids ?? []).entries()) {
    const [recipient, topic] = [recipients![i]!, topics![i]!]
    const ofRecipient = known.get(recipient) ?? new Map<string, Group>()
    known.set(recipient, ofRecipient)
    const group = ofRecipient.get(topic)
    if (group) {
      group[2].push(id)
      continue
    }
    const first: Group = [recipient, topic, [id]]
    ofRecipient.set(topic, first)
    groups.push(first)
  }
  return groups
}

/** Returns the same for a client that may not know the empty topic. */
export function shownUnread(unread: UnreadMessages, { empty_topic_name }: Capabilities) {
  const streams = unread.streams.map((one) => ({ ...one, topic: shownTopic(one.topic, empty_topic_name) }))
  return { ...unread, streams }
}

function conversations(realm: RealmState, me: AccountRow, groups: Group[]) {
  const streams = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  const pms: object[] = []
  const huddles: object[] = []
  for (const [recipient_id, topic, unread_message_ids] of groups) {
    const { user_ids: users, channel_id } = realm.recipients.require(recipient_id)
    if (!users) {
      const key = `${recipient_id}:${topic.toLowerCase()}`
      const known = streams.get(key)
      const fresh = { stream_id: channel_id, topic, unread_message_ids }
      streams.set(key, known ? joined(known, fresh) : fresh)
    } else if (users.length > 2) {
      huddles.push({ user_ids_string: users.join(), unread_message_ids })
    } else {
      const other = users.find((user) => user !== me.id) ?? me.id
      pms.push({ other_user_id: other, sender_id: other, unread_message_ids })
    }
  }
  return { pms, streams: [...streams.values()], huddles }
}

/** Spells a topic as its oldest unread message does, ignoring case. */
function joined<One extends { unread_message_ids: number[] }>(older: One, newer: One): One {
  const ids = [...older.unread_message_ids, ...newer.unread_message_ids]
  return { ...older, unread_message_ids: ids.sort((a, b) => a - b) }
}
