import { sql } from 'kysely'
import { firstIn, lastIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { isActive } from '../channels/access.ts'

/** Marks one message as read for many readers. */
export async function markReadForMany(
  change: Change,
  userIds: number[],
  message: { id: number; recipient: number },
) {
  if (userIds.length === 0) return
  const realmId = change.state.id
  await change.run(sql`
    INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
    SELECT ${realmId}, reader.id, ${message.recipient}, int8multirange(int8range(before.id + 1, ${message.id + 1}))
    FROM unnest(${userIds}::integer[]) AS reader(id), (
      SELECT coalesce(max(id), 0) AS id FROM message
      WHERE realm_id = ${realmId} AND recipient_id = ${message.recipient} AND id < ${message.id}) AS before
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read + excluded.read`)
}

/** A reader, and the messages that are no longer unread for them. */
export type NoLongerUnread = { userId: number; messages: number[] }

/**
 * Carries users' read state along with messages that have just been moved to another channel. Messages that a user
 * subscribed to both channels has not read stay unread; for all other subscribers of the new channel they are old and
 * count as read. Returns the subscribers for whom a message stops being unread because it was sent before they
 * subscribed.
 */
export async function carryRead(
  change: Change,
  from: number,
  to: number,
  ids: number[],
): Promise<NoLongerUnread[]> {
  const readers = subscribersOfBoth(change, from, to)
  if (readers.length === 0) return []
  await writeCarried(change, from, to, ids, readers)
  return cameLater(change, from, ids, readers)
}

/**
 * Ranges of read ids start after the conversation's preceding message, as in markRead, so that they join. Users are
 * grouped by what they have read of the affected range. Usually that is all of it or nothing, and then nothing has to
 * be written for them.
 */
async function writeCarried(change: Change, from: number, to: number, ids: number[], readers: Reader[]) {
  const realmId = change.state.id
  const users = readers.map(({ userId }) => userId)
  const since = readers.map((reader) => reader.sinceOld)
  await change.run(sql`
    WITH moved AS MATERIALIZED (
      SELECT range_agg(int8range(m.id, m.id + 1)) AS ids, range_agg(int8range(before.id + 1, m.id + 1)) AS wide,
        min(before.id) + 1 AS first, max(m.id) + 1 AS beyond, int8range(min(before.id) + 1, max(m.id) + 1) AS part
      FROM message m CROSS JOIN LATERAL (
        SELECT coalesce(max(id), 0) AS id FROM message b
        WHERE b.realm_id = m.realm_id AND b.recipient_id = m.recipient_id AND b.id < m.id) AS before
      WHERE m.realm_id = ${realmId} AND m.id = ANY(${ids}::bigint[])
    ), reader AS MATERIALIZED (
      SELECT u.user_id, greatest(least(u.since, moved.beyond), moved.first) AS since, new.read,
        coalesce(old.read * int8multirange(moved.part), '{}') AS old_part,
        coalesce(new.read * int8multirange(moved.part), '{}') AS new_part
      FROM moved CROSS JOIN unnest(${users}::integer[], ${since}::bigint[]) AS u(user_id, since)
      LEFT JOIN read_state old ON old.realm_id = ${realmId} AND old.user_id = u.user_id AND old.recipient_id = ${from}
      LEFT JOIN read_state new ON new.realm_id = ${realmId} AND new.user_id = u.user_id AND new.recipient_id = ${to}
    ), kind AS MATERIALIZED (
      SELECT one.*, moved.ids * int8multirange(int8range(one.since, NULL)) - one.old_part AS unread
      FROM moved CROSS JOIN (SELECT DISTINCT since, old_part, new_part FROM reader) AS one
    ), effect AS MATERIALIZED (
      SELECT kind.*, CASE WHEN kind.unread @> moved.ids THEN '{}'::int8multirange ELSE moved.wide END AS added
      FROM kind CROSS JOIN moved
    )
    INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
    SELECT ${realmId}, reader.user_id, ${to}, coalesce(reader.read, '{}') + effect.added - effect.unread
    FROM effect JOIN reader USING (since, old_part, new_part)
    WHERE effect.new_part + effect.added - effect.unread <> effect.new_part
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = excluded.read`)
}

type Reader = { userId: number; sinceOld: number | null; sinceNew: number }

/**
 * Returns the subscribers of the new channel and the start of both of their subscriptions; null if they are not
 * subscribed to the old channel.
 */
function subscribersOfBoth({ state }: Change, from: number, to: number): Reader[] {
  const [{ id: oldId }, { id: newId }] = [state.channelOf(from), state.channelOf(to)]
  const readers: Reader[] = []
  for (const subscription of state.subscriptionsOfChannel(newId)) {
    if (!isActive(subscription)) continue
    const old = state.subscription(subscription.user_id, oldId)
    readers.push({
      userId: subscription.user_id,
      sinceOld: old && isActive(old) ? lastIn(old.received)[0] : null,
      sinceNew: lastIn(subscription.received)[0],
    })
  }
  return readers
}

async function cameLater(change: Change, from: number, ids: number[], readers: Reader[]) {
  const late = readers.filter(({ sinceOld, sinceNew }) => sinceOld !== null && sinceNew > firstIn(ids))
  if (late.length === 0) return []
  const part = sql`int8multirange(int8range(${firstIn(ids)}::bigint, ${lastIn(ids)}::bigint, '[]'))`
  // Finds among all that a user has read the part that concerns these messages: once, not for each message.
  const rows = await change.run(sql<{ user_id: number; ids: number[] }>`
    WITH reader AS MATERIALIZED (
      SELECT u.*, coalesce(old.read * ${part}, '{}') AS read
      FROM unnest(${late.map((reader) => reader.userId)}::integer[], ${late.map((reader) => reader.sinceOld)}::bigint[],
        ${late.map((reader) => reader.sinceNew)}::bigint[]) AS u(user_id, since_old, since_new)
      LEFT JOIN read_state old
        ON old.realm_id = ${change.state.id} AND old.user_id = u.user_id AND old.recipient_id = ${from})
    SELECT reader.user_id, array_agg(m.id ORDER BY m.id)::float8[] AS ids
    FROM reader JOIN message m ON m.realm_id = ${change.state.id} AND m.id = ANY(${ids}::bigint[])
      AND m.id >= reader.since_old AND m.id < reader.since_new
    WHERE NOT reader.read @> m.id AND NOT (m.sender_id = reader.user_id AND m.read_by_sender)
    GROUP BY reader.user_id`)
  return rows.map((row) => ({ userId: row.user_id, messages: row.ids }))
}
