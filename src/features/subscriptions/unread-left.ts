import { sql } from 'kysely'
import type { ChannelRow, SubscriptionRow } from '../../db/schema.ts'
import { groupBy } from '../../lib/group-by.ts'
import { limits } from '../../lib/limits.ts'
import type { Change } from '../../log/change.ts'

/**
 * The messages that users have not read in channels that they are about to leave, by user: the newest, as many as
 * clients know of at all. With the subscription they stop being unread. `subscriptions`: as they are, still open.
 */
export async function unreadLeftBehind(
  change: Change,
  channels: ChannelRow[],
  subscriptions: SubscriptionRow[],
): Promise<Map<number, number[]>> {
  const recipients = new Map(channels.map((channel) => [channel.id, channel.recipient_id]))
  const rows = await change.run<{ user_id: number; id: number }>(sql`
    SELECT leaving.user_id, m.id
    FROM unnest(${subscriptions.map((row) => row.user_id)}::integer[],
      ${subscriptions.map((row) => recipients.get(row.channel_id)!)}::integer[],
      ${subscriptions.map((row) => row.received.at(-1)![0])}::bigint[]) AS leaving(user_id, recipient_id, since)
    LEFT JOIN read_state s
      ON s.realm_id = ${change.state.id} AND s.user_id = leaving.user_id AND s.recipient_id = leaving.recipient_id
    JOIN message m
      ON m.realm_id = ${change.state.id} AND m.recipient_id = leaving.recipient_id AND m.id >= leaving.since
    WHERE NOT coalesce(s.read @> m.id, false) AND NOT (m.sender_id = leaving.user_id AND m.read_by_sender)
    ORDER BY m.id DESC LIMIT ${limits.unreadMessages}`)
  const byUser = groupBy(rows.reverse(), (row) => row.user_id)
  return new Map([...byUser].map(([userId, own]) => [userId, own.map((row) => row.id)]))
}
