import { sql } from 'kysely'
import type { ChannelRow, SubscriptionRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { firstIn, lastIn, must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { flagLimits } from '../../kernel/flags/limits.ts'

/** Messages, and the users who have all left exactly these unread. */
export type LeftUnread = { userIds: number[]; messages: number[] }

/**
 * Finds the unread messages of users in channels that they are about to leave: the newest ones, up to the number that
 * clients keep. They stop being unread with the subscription. `subscriptions`: the current, still open ones. The query
 * looks only at unread messages, and at only the newest of each user and channel if very many users leave, because
 * other writes wait for it.
 */
export async function unreadLeftBehind(
  change: Change,
  channels: ChannelRow[],
  subscriptions: SubscriptionRow[],
): Promise<LeftUnread[]> {
  const recipients = new Map(channels.map((channel) => [channel.id, channel.recipient_id]))
  const each = Math.max(fewest, Math.ceil(flagLimits.unreadMessages / subscriptions.length))
  const rows = await change.run<{ user_id: number; id: number }>(sql`
    SELECT leaving.user_id, m.id
    FROM unnest(${subscriptions.map((row) => row.user_id)}::integer[],
      ${subscriptions.map((row) => must(recipients.get(row.channel_id), 'recipient'))}::integer[],
      ${subscriptions.map((row) => lastIn(row.received)[0])}::bigint[]) AS leaving(user_id, recipient_id, since)
    LEFT JOIN read_state s
      ON s.realm_id = ${change.state.id} AND s.user_id = leaving.user_id AND s.recipient_id = leaving.recipient_id
    CROSS JOIN LATERAL unnest(int8multirange(int8range(leaving.since, NULL)) - coalesce(s.read, '{}')) AS gap
    CROSS JOIN LATERAL (
      SELECT id, sender_id, read_by_sender FROM message
      WHERE realm_id = ${change.state.id} AND recipient_id = leaving.recipient_id
        AND id >= lower(gap) AND id < coalesce(upper(gap), ${Number.MAX_SAFE_INTEGER}::bigint)
      ORDER BY id DESC LIMIT ${each}) AS m
    WHERE NOT (m.sender_id = leaving.user_id AND m.read_by_sender)
    ORDER BY m.id DESC LIMIT ${flagLimits.unreadMessages}`)
  const ofUser = [...groupBy(rows.reverse(), (row) => row.user_id)].map(([userId, own]) => ({
    userId,
    messages: own.map((row) => row.id),
  }))
  const alike = groupBy(ofUser, ({ messages }) => messages.join())
  return [...alike.values()].map((group) => ({
    userIds: group.map(({ userId }) => userId),
    messages: firstIn(group).messages,
  }))
}

/** The minimum for each user and channel, regardless of their number. */
const fewest = 100
