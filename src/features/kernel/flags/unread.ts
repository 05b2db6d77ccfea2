import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { firstIn, lastIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import { mutingOf, topicPoliciesQuery } from '../topics/visibility.ts'
import { flagLimits } from './limits.ts'

/**
 * Returns a query for the reader's unread messages, as `message m … WHERE …`, to which callers may add conditions. It
 * covers messages that the reader received in active subscriptions and in direct conversations and that are not in
 * their read state. The reader's own messages are read if their client said so.
 */
export function unreadSql(realm: RealmState, me: AccountRow): RawBuilder<unknown> {
  return sql`${notReadSql(realm, me)} AND ${isNotOwnRead(me)}`
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

/** Matches unread messages regardless of their sender. An index suffices, so the messages themselves are not read. */
function notReadSql(realm: RealmState, me: AccountRow): RawBuilder<unknown> {
  return sql`${conversationsSql(realm, me)} CROSS JOIN message m WHERE ${isNotRead(realm)}`
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
export async function unreadMessages(read: Reader, realm: RealmState, me: AccountRow) {
  const { groups, mentions, isMissing } = await newestUnread(read, realm, me)
  const isMuted = mutingOf(realm, me, await read.rows(topicPoliciesQuery(realm, me)))
  const mutedGroups = groups.filter(([recipient, topic]) => {
    const { channel_id } = realm.recipients.require(recipient)
    return channel_id !== null && isMuted(channel_id, topic)
  })
  const muted = new Set(mutedGroups.flatMap(([, , ids]) => ids))
  const mentionsInMuted = mentions.filter((id) => muted.has(id))
  const named = await naming(read, realm, me, mentionsInMuted)
  return {
    ...conversations(realm, me, groups),
    mentions: mentions.filter((id) => !muted.has(id) || named.has(id)),
    count: groups.reduce((sum, [, , ids]) => sum + ids.length, 0) - muted.size,
    old_unreads_missing: isMissing,
  }
}

/** The unread messages of a conversation under one spelling of a topic, in ascending order. */
type Group = [recipient: number, topic: string, ids: number[]]

type FoundUnread = { isMissing: boolean } & Record<
  'ids' | 'recipients' | 'topics' | 'mentions',
  string | null
>

/**
 * Reads the newest unread messages, with those that mention the reader in any way. The query first finds the ids from
 * an index alone and then looks them up in order. PostgreSQL returns one list for each column: parsing separate rows
 * would be most of the work, and to group them it would sort all topics.
 */
async function newestUnread(read: Reader, realm: RealmState, me: AccountRow) {
  const named = sql`SELECT message_id FROM message_flag
    WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND flag = 'mentioned'`
  const isMention = sql`mentions_channel OR ${me.id} = ANY(topic_mentioned) OR id IN (${named})`
  const found = firstIn(
    await read.rows<FoundUnread>(sql`
    WITH newest AS MATERIALIZED (
      SELECT ARRAY(SELECT m.id FROM ${notReadSql(realm, me)} ORDER BY m.id DESC LIMIT ${flagLimits.unreadMessages + 1}) AS ids)
    SELECT (SELECT cardinality(ids) > ${flagLimits.unreadMessages} FROM newest) AS "isMissing",
      string_agg(id::text, ',') AS ids, string_agg(recipient_id::text, ',') AS recipients,
      json_agg(topic)::text AS topics, string_agg(id::text, ',') FILTER (WHERE ${isMention}) AS mentions
    FROM (
      SELECT id, recipient_id, topic, mentions_channel, topic_mentioned FROM message
      WHERE realm_id = ${realm.id} AND id = ANY((SELECT ids[1:${flagLimits.unreadMessages}] FROM newest)::bigint[])
        AND NOT (sender_id = ${me.id} AND read_by_sender)
      ORDER BY id) AS unread`),
  )
  return { isMissing: found.isMissing, groups: grouped(found), mentions: numbers(found.mentions) }
}

/** Groups the messages by conversation and topic, in the order of the first message of each. */
function grouped({ ids, recipients, topics }: FoundUnread): Group[] {
  const groups: Group[] = []
  const known = new Map<number, Map<string, Group>>()
  const [recipientOf, topicOf] = [numbers(recipients), JSON.parse(topics ?? '[]') as string[]]
  for (const [i, id] of numbers(ids).entries()) {
    const [recipient, topic] = [recipientOf[i]!, topicOf[i]!]
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

function numbers(list: string | null): number[] {
  return JSON.parse(`[${list ?? ''}]`)
}

/** Returns the messages that mention the reader by name. */
async function naming(read: Reader, realm: RealmState, me: AccountRow, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await read.rows<{ message_id: number }>(sql`
    SELECT message_id FROM message_flag WHERE realm_id = ${realm.id} AND user_id = ${me.id}
      AND flag = 'mentioned' AND message_id = ANY(${ids}::bigint[])`)
  return new Set(rows.map((row) => row.message_id))
}

/** Returns the same for a client that may not know the empty topic. */
export function shownUnread(
  unread: Awaited<ReturnType<typeof unreadMessages>>,
  { empty_topic_name }: Capabilities,
) {
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
