import { sql } from 'kysely'
import type { ChannelRow, SubscriptionRow } from '../../db/schema.ts'
import { groupBy } from '../../lib/group-by.ts'
import { limits } from '../../lib/limits.ts'
import type { Change } from '../../log/change.ts'

/** Messages, and the users who all have left just these unread. */
export type LeftUnread = { userIds: number[]; messages: number[] }

/**
 * The messages that users have not read in channels that they are about to leave: the newest, as many as clients know
 * of at all. With the subscription they stop being unread. `subscriptions`: as they are, still open.
 */
export async function unreadLeftBehind(
  change: Change,
  channels: ChannelRow[],
  subscriptions: SubscriptionRow[],
): Promise<LeftUnread[]> {
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
  const ofUser = [...groupBy(rows.reverse(), (row) => row.user_id)].map(([userId, own]) => ({
    userId,
    messages: own.map((row) => row.id),
  }))
  const alike = groupBy(ofUser, ({ messages }) => messages.join())
  return [...alike.values()].map((group) => ({
    userIds: group.map(({ userId }) => userId),
    messages: group[0]!.messages,
  }))
}
