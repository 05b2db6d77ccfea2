import { type RawBuilder, sql } from 'kysely'
import type { Condition } from './condition.ts'

type Own = Extract<Condition, { kind: 'flag' | 'mentioned' | 'unread' | 'topicPolicy' }>

/**
 * Conditions on what a message is to one reader, by the reader's own rows: there are few of them, so that PostgreSQL
 * may begin with them.
 */
export function ownToSql(condition: Own, column: (name: string) => RawBuilder<unknown>): RawBuilder<boolean> {
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
          UNION ALL SELECT w.realm_id, w.id FROM message w WHERE w.mentions_channel) AS mention
        WHERE mention.realm_id = ${realm} AND mention.message_id = ${column('id')})`
    case 'unread':
      return unreadToSql(condition, column)
    case 'topicPolicy':
      return sql`EXISTS (
        SELECT FROM user_topic t JOIN channel c ON c.realm_id = t.realm_id AND c.id = t.channel_id
        WHERE t.realm_id = ${realm} AND t.user_id = ${condition.userId}
          AND t.visibility_policy = ANY(${condition.policies}::smallint[])
          AND c.recipient_id = ${column('recipient_id')} AND lower(t.topic) = lower(${column('topic')}))`
  }
}

/**
 * Begins with the conversations: where a reader has read everything up to some message, nothing before it is looked at.
 * One's own messages are read if their client said so.
 */
function unreadToSql(
  { realmId, userId, recipients, since }: Extract<Own, { kind: 'unread' }>,
  column: (name: string) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`${column('id')} IN (
    SELECT u.id
    FROM unnest(${recipients}::integer[], ${since}::bigint[]) AS current(recipient_id, since)
    LEFT JOIN read_state s
      ON s.realm_id = ${realmId} AND s.user_id = ${userId} AND s.recipient_id = current.recipient_id
    JOIN message u ON u.realm_id = ${realmId} AND u.recipient_id = current.recipient_id AND u.id >= greatest(
      current.since, (SELECT upper(r) FROM unnest(s.read) r WHERE lower(r) <= 1 LIMIT 1))
    WHERE NOT coalesce(s.read @> u.id, false) AND NOT (u.sender_id = ${userId} AND u.read_by_sender))`
}
