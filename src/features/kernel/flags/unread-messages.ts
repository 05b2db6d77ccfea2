import { sql } from 'kysely'
import type { AccountRow } from '../../../db/schema.ts'
import { type Selection, selectionOfOne } from '../../../db/selection.ts'
import { countBelow } from '../../../lib/collections/count-below.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { Recent, RecentMessage } from '../../../log/memory/recent-messages.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import { mutingOf, type TopicPolicy, topicPoliciesQuery } from '../topics/visibility.ts'
import { flagLimits } from './limits.ts'
import { currentConversations } from './unread.ts'

/**
 * `unread_msgs` of POST /register: the newest 50,000 unread messages by conversation. Muted messages are not in
 * `count`, and are in `mentions` only if they mention the reader by name. If messages are in memory, the database is only asked which of them
 * the reader has read.
 */
export function unreadMessages(realm: RealmState, me: AccountRow): Selection<UnreadMessages> {
  const recent = realm.recent.get()
  return selectionOfOne(unreadQuery(realm, me, recent), (found) => {
    if (!recent && (found.ids?.length ?? 0) >= flagLimits.manyUnreadMessages) realm.recent.want()
    const unread = new FoundMessages(me, found)
    if (recent) unread.addRecent(recent, found)
    return summaryOf(realm, me, unread, found.policies ?? [])
  })
}

type UnreadMessages = ReturnType<typeof summaryOf>

function summaryOf(realm: RealmState, me: AccountRow, unread: FoundMessages, policies: TopicPolicy[]) {
  const groups = unread.groups()
  const isMuted = mutingOf(realm, me, policies)
  const mutedGroups = groups.filter(([recipient, topic]) => {
    const { channel_id } = realm.recipients.require(recipient)
    return channel_id !== null && isMuted(channel_id, topic)
  })
  const muted = new Set(mutedGroups.flatMap(([, , ids]) => ids))
  return {
    ...conversations(realm, me, groups),
    mentions: unread.mentions().filter((id) => !muted.has(id) || unread.named.has(id)),
    count: groups.reduce((sum, [, , ids]) => sum + ids.length, 0) - muted.size,
    old_unreads_missing: unread.isMissing,
  }
}

/** The unread messages of a conversation under one spelling of a topic, in ascending order. */
type Group = [recipient: number, topic: string, ids: number[]]

/**
 * The ids of the unread messages in ascending order, with the conversation and topic of each; and the ids of those that mention the reader in any
 * way, and by name. If messages are in memory, also the gaps between the ranges that the reader has read, the messages in memory that mention
 * the reader by name, and the newest message of the organization.
 */
type FoundUnread = {
  isMissing: boolean
  ids: number[] | null
  recipients: number[] | null
  topics: string[] | null
  mentions: number[] | null
  named: number[] | null
  policies: TopicPolicy[] | null
  gaps: [recipient: number, since: number, until: number][] | null
  namedRecent: number[] | null
  newest: number
}

/** No message has this id. */
const none = Number.MAX_SAFE_INTEGER

/**
 * Returns the query for the newest unread messages that are not in memory, or unsure there. It first finds their ids from an index alone, in the
 * gaps between the ranges that were read in each conversation, and then looks them up in order. PostgreSQL returns one list for each column:
 * parsing separate rows would be most of the work, and for groups it would sort all topics. A plan of the prepared statement is good for any
 * values: it goes from conversation to conversation, and in each one back from the newest message.
 */
function unreadQuery(realm: RealmState, me: AccountRow, recent: Recent | undefined) {
  const most = flagLimits.unreadMessages
  const { recipients, since } = currentConversations(realm, me)
  const { from = none, unsure } = recent ?? {}
  return sql<FoundUnread>`
    WITH gap AS MATERIALIZED (
      SELECT recipient_id, lower(gap) AS since, coalesce(upper(gap), ${none}::bigint) AS until
      FROM unnest(${recipients}::integer[], ${since}::bigint[]) AS current(recipient_id, since)
      CROSS JOIN LATERAL unnest(int8multirange(int8range(current.since, NULL)) - coalesce((
        SELECT read FROM read_state
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND recipient_id = current.recipient_id), '{}')) AS gap),
    newest AS MATERIALIZED (
      SELECT ARRAY(
        SELECT id FROM (
          SELECT m.id FROM gap CROSS JOIN LATERAL (
            SELECT id FROM message
            WHERE realm_id = ${realm.id} AND recipient_id = gap.recipient_id
              AND id >= gap.since AND id < least(gap.until, ${from}::bigint)
            ORDER BY id DESC LIMIT ${most + 1}) AS m
          WHERE gap.since < ${from}::bigint
          UNION ALL
          SELECT m.id FROM message m
          WHERE m.realm_id = ${realm.id} AND m.id = ANY(${[...(unsure?.keys() ?? [])]}::bigint[])
            AND EXISTS (SELECT FROM gap WHERE recipient_id = m.recipient_id AND m.id >= since AND m.id < until)) AS unread
        ORDER BY id DESC LIMIT ${most + 1}) AS ids),
    naming AS MATERIALIZED (
      SELECT message_id FROM message_flag
      WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND flag = 'mentioned')
    SELECT (SELECT cardinality(ids) > ${most} FROM newest) AS "isMissing",
      json_agg(id) AS ids, json_agg(recipient_id) AS recipients, json_agg(topic) AS topics,
      json_agg(id) FILTER (WHERE mentions_channel OR ${me.id} = ANY(topic_mentioned) OR is_named) AS mentions,
      json_agg(id) FILTER (WHERE is_named) AS named,
      (SELECT json_agg(policy) FROM (${topicPoliciesQuery(realm, me)}) AS policy) AS policies,
      (SELECT json_agg(json_build_array(recipient_id, since, until)) FROM gap WHERE until > ${from}::bigint) AS gaps,
      (SELECT json_agg(message_id) FROM naming WHERE message_id >= ${from}::bigint) AS "namedRecent",
      (SELECT last_message_id FROM realm_head WHERE realm_id = ${realm.id}) AS newest
    FROM (
      SELECT id, recipient_id, topic, mentions_channel, topic_mentioned,
        id IN (SELECT message_id FROM naming) AS is_named
      FROM message
      WHERE realm_id = ${realm.id} AND id = ANY((SELECT ids[1:${most}] FROM newest)::bigint[])
        AND NOT (sender_id = ${me.id} AND read_by_sender)
      ORDER BY id) AS unread`
}

/** The unread messages of a reader: those that the database has found, and those in memory. */
class FoundMessages {
  readonly named: Set<number>
  isMissing: boolean
  private readonly me: AccountRow
  private readonly places = new Map<number, Map<string, Group>>()
  private readonly mentioned: number[]
  private count = 0

  constructor(me: AccountRow, { ids, recipients, topics, mentions, named, isMissing }: FoundUnread) {
    this.me = me
    this.named = new Set(named)
    this.mentioned = mentions ?? []
    this.isMissing = isMissing
    for (const [i, id] of (ids ?? []).entries()) this.add(id, recipients![i]!, topics![i]!)
  }

  /** Adds the messages in memory that the reader has not read, up to the newest that the database knew of. */
  addRecent({ from, conversations, unsure }: Recent, { gaps, namedRecent, newest }: FoundUnread) {
    const named = new Set(namedRecent)
    for (const [recipient, since, until] of gaps ?? []) {
      const conversation = conversations.get(recipient)
      if (!conversation) continue
      const { ids, topics, readFor, mentioned } = conversation
      const end = countBelow(ids, Math.min(until, newest + 1))
      for (let i = countBelow(ids, Math.max(since, from)); i < end; i++) {
        const id = ids[i]!
        if (readFor[i] === this.me.id || unsure.has(id)) continue
        this.add(id, recipient, topics[i]!)
        if (named.has(id)) this.named.add(id)
        if (named.has(id) || isAmong(this.me, mentioned[i]!)) this.mentioned.push(id)
      }
    }
    this.dropOldest()
  }

  /** Returns the unread messages by conversation and topic, in the order of the first message of each. */
  groups(): Group[] {
    const groups = [...this.places.values()].flatMap((topics) => [...topics.values()])
    for (const [, , ids] of groups) inOrder(ids)
    return groups.sort(([, , [a = 0]], [, , [b = 0]]) => a - b)
  }

  mentions(): number[] {
    return inOrder(this.mentioned)
  }

  private add(id: number, recipient: number, topic: string) {
    const topics = this.places.get(recipient) ?? new Map<string, Group>()
    if (topics.size === 0) this.places.set(recipient, topics)
    const group = topics.get(topic)
    if (group) group[2].push(id)
    else topics.set(topic, [recipient, topic, [id]])
    this.count++
  }

  /** Drops the oldest messages if there are more than a client gets. */
  private dropOldest() {
    if (this.count <= flagLimits.unreadMessages) return
    const all = Float64Array.from(this.groups().flatMap(([, , ids]) => ids)).sort()
    const oldest = all[all.length - flagLimits.unreadMessages]!
    for (const topics of this.places.values()) {
      for (const [topic, [recipient, , ids]] of topics) {
        const left = ids.filter((id) => id >= oldest)
        if (left.length > 0) topics.set(topic, [recipient, topic, left])
        else topics.delete(topic)
      }
    }
    const left = this.mentioned.filter((id) => id >= oldest)
    this.mentioned.splice(0, this.mentioned.length, ...left)
    this.isMissing = true
  }
}

function isAmong({ id }: AccountRow, mentioned: RecentMessage['mentioned']): boolean {
  return mentioned === 'all' || (mentioned?.includes(id) ?? false)
}

/** Sorts ids, which mostly are sorted already. */
function inOrder(ids: number[]): number[] {
  const isSorted = ids.every((id, i) => i === 0 || ids[i - 1]! < id)
  return isSorted ? ids : ids.sort((a, b) => a - b)
}

/** Returns the unread messages for a client that may not know the empty topic. */
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
      const key = `${recipient_id}:${lower(topic)}`
      const known = streams.get(key)
      const fresh = { stream_id: channel_id, topic, unread_message_ids }
      streams.set(key, known ? joinedGroups(known, fresh) : fresh)
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
function joinedGroups<One extends { unread_message_ids: number[] }>(older: One, newer: One): One {
  const ids = [...older.unread_message_ids, ...newer.unread_message_ids]
  return { ...older, unread_message_ids: ids.sort((a, b) => a - b) }
}
