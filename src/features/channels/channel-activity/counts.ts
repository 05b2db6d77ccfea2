import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/**
 * Returns the first message id that was sent at that time or later. Ids rise with time, so a binary search over the
 * primary key finds it; no index by time is needed.
 */
export async function firstSince(read: Reader, { id, lastMessageId }: RealmState, time: number) {
  let [low, high] = [1, lastMessageId + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [next] = await read.rows<{ id: number; sent_at: number }>(sql`
      SELECT id, sent_at FROM message WHERE realm_id = ${id} AND id >= ${middle} ORDER BY id LIMIT 1`)
    if (next && next.sent_at < time) low = next.id + 1
    else high = middle
  }
  return low
}

/** Returns the number of messages in each of these channels from an id on. An index alone suffices. */
export async function countSince(read: Reader, realm: RealmState, channelIds: number[], from: number) {
  const recipients = channelIds.map((id) => realm.channels.require(id).recipient_id)
  const rows = await read.rows<{ id: number; count: number }>(sql`
    SELECT c.id, m.count FROM unnest(${channelIds}::integer[], ${recipients}::integer[]) AS c(id, recipient_id)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM message
      WHERE realm_id = ${realm.id} AND recipient_id = c.recipient_id AND id >= ${from}) AS m`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
