import { type RawBuilder, sql } from 'kysely'
import { type Condition, type Current, recipientsNamed } from './condition.ts'

type Own = Extract<Condition, { kind: 'flag' | 'mentioned' | 'unread' | 'topicPolicy' }>
type Unread = Extract<Own, { kind: 'unread' }>

/**
 * Returns the SQL of a condition on a message's relation to one reader. It is written so that PostgreSQL may begin with the reader's own rows, of
 * which there are few.
 */
export function ownToSql(
  condition: Own,
  column: (name: string) => RawBuilder<unknown>,
  isNegated = false,
): RawBuilder<boolean> {
  const realm = column('realm_id')
  switch (condition.kind) {
    case 'flag':
      return sql`EXISTS (SELECT FROM message_flag f WHERE f.realm_id = ${realm}
        AND f.user_id = ${condition.userId} AND f.message_id = ${column('id')} AND f.flag = ${condition.flag})`
    case 'mentioned':
      return sql`EXISTS (
        SELECT FROM (
          SELECT f.realm_id, f.message_id FROM message_flag f
          WHERE f.user_id = ${condition.userId} AND f.flag = 'mentioned'
          UNION ALL SELECT w.realm_id, w.id FROM message w WHERE w.mentions_channel
          UNION ALL SELECT t.realm_id, t.id FROM message t
          WHERE t.topic_mentioned IS NOT NULL AND t.topic_mentioned @> ARRAY[${condition.userId}::integer]) AS mention
        WHERE mention.realm_id = ${realm} AND mention.message_id = ${column('id')})`
    case 'unread':
      return unreadToSql(condition, column, isNegated)
    case 'topicPolicy':
      return sql`(${column('recipient_id')}, lower(${column('topic')})) IN (
        SELECT c.recipient_id, lower(t.topic)
        FROM user_topic t JOIN channel c ON c.realm_id = t.realm_id AND c.id = t.channel_id
        WHERE t.realm_id = ${condition.realmId} AND t.user_id = ${condition.userId}
          AND t.visibility_policy = ANY(${condition.policies}::smallint[]))`
  }
}

/**
 * Begins with the conversations: messages before the point up to which a reader has read everything are not examined.
 * These ids are found first, from an index alone, so a few wanted messages are looked up by id. Negated, the ids must
 * be a set. The current user's own messages are read if their client said so.
 */
function unreadToSql(
  { realmId, userId, current }: Unread,
  column: (name: string) => RawBuilder<unknown>,
  isNegated: boolean,
): RawBuilder<boolean> {
  const ids = sql`
    SELECT u.id FROM ${withRead(realmId, userId, current())}
    JOIN message u ON u.realm_id = ${realmId} AND u.recipient_id = current.recipient_id AND u.id >= greatest(
      current.since, (SELECT upper(r) FROM unnest(current.read) r WHERE lower(r) <= 1 LIMIT 1))
    WHERE NOT current.read @> u.id`
  const isAmong = isNegated ? sql`${column('id')} IN (${ids})` : sql`${column('id')} = ANY(ARRAY(${ids}))`
  return sql`(${isAmong} AND NOT (${column('sender_id')} = ${userId} AND ${column('read_by_sender')}))`
}

/**
 * Returns the SQL of conversations with the ranges of ids that a user has read there, as `current(recipient_id, since, read)`. PostgreSQL stores
 * many ranges compressed, and would unpack them for each message. A sum (`read + '{}'`) is not compressed, and is made once for each
 * conversation.
 */
export function withRead(
  realmId: number,
  userId: number,
  { recipients, since }: Current,
): RawBuilder<unknown> {
  return sql`(
    WITH conversation AS MATERIALIZED (
      SELECT named.*, coalesce(s.read + '{}', '{}') AS read
      FROM unnest(${recipients}::integer[], ${since}::bigint[]) AS named(recipient_id, since)
      LEFT JOIN read_state s
        ON s.realm_id = ${realmId} AND s.user_id = ${userId} AND s.recipient_id = named.recipient_id)
    SELECT * FROM conversation) AS current`
}

/** Returns the conditions; the one for unread messages is limited to the conversations that another condition names. */
export function withinRecipients(conditions: Condition[]): Condition[] {
  const named = conditions.map(recipientsNamed).find((ids) => ids !== undefined)
  if (!named) return conditions
  return conditions.map((one) => (one.kind === 'unread' ? unreadOf(one, new Set(named)) : one))
}

function unreadOf(unread: Unread, wanted: Set<number>): Unread {
  const { recipients, since } = unread.current()
  const kept = recipients.flatMap((id, i) => (wanted.has(id) ? [i] : []))
  const current = {
    recipients: kept.flatMap((i) => recipients[i] ?? []),
    since: kept.flatMap((i) => since[i] ?? []),
  }
  return { ...unread, current: () => current }
}
