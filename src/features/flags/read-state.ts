import { sql } from 'kysely'
import type { AccountRow } from '../../db/schema.ts'
import type { Change } from '../../log/change.ts'
import { currentConversations } from './unread.ts'

type Marked = { id: number; recipient_id: number; sender_id: number }

/**
 * Adds messages to what a reader has read. Each range begins right behind the conversation's message before, so that
 * whoever reads in order has one range, however many messages of other conversations lie between.
 */
export async function markRead(change: Change, userId: number, messages: Marked[]) {
  if (messages.length === 0) return
  await change.run(sql`
    INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
    SELECT ${change.state.id}, ${userId}, m.recipient_id, range_agg(int8range(coalesce(before.id, 0) + 1, m.id + 1))
    FROM message m LEFT JOIN LATERAL (
      SELECT max(id) AS id FROM message b
      WHERE b.realm_id = m.realm_id AND b.recipient_id = m.recipient_id AND b.id < m.id) AS before ON true
    WHERE m.realm_id = ${change.state.id} AND m.id = ANY(${messages.map((message) => message.id)}::bigint[])
    GROUP BY m.recipient_id
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read + excluded.read`)
}

/** Whatever has come to a reader until now, in all conversations that go on. */
export async function markEverythingRead(change: Change, me: AccountRow) {
  const { recipients } = currentConversations(change.state, me)
  await change.run(sql`
    INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
    SELECT ${change.state.id}, ${me.id}, recipient_id, int8multirange(int8range(1, ${change.lastMessageId + 1}))
    FROM unnest(${recipients}::integer[]) AS current(recipient_id)
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read + excluded.read`)
}

/** Takes messages out of what a reader has read, their own ones included. */
export async function markUnread(change: Change, userId: number, messages: Marked[]) {
  if (messages.length === 0) return
  const ids = messages.map((message) => message.id)
  await change.run(sql`
    UPDATE read_state s SET read = s.read - unread.ids
    FROM (
      SELECT recipient_id, range_agg(int8range(id, id + 1)) AS ids FROM message
      WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[]) GROUP BY recipient_id) AS unread
    WHERE s.realm_id = ${change.state.id} AND s.user_id = ${userId} AND s.recipient_id = unread.recipient_id`)
  await change.run(sql`
    UPDATE message SET read_by_sender = false
    WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[]) AND sender_id = ${userId} AND read_by_sender`)
}
