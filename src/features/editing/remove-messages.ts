import { sql } from 'kysely'
import type { Change } from '../../log/change.ts'
import type { Audience } from '../../log/entry.ts'
import { unlinkUploads } from '../uploads/links.ts'
import { audienceOfAll } from './audience.ts'
import type { DeleteEvent } from './delete_message.event.ts'

/**
 * Deletes messages of one conversation (and, in a channel, of one topic), with all that belongs to them, and tells of
 * it. `ids`: rising, at least one. Reactions and the like go with their messages by themselves.
 */
export async function removeMessages(change: Change, recipient: number, topic: string, ids: number[]) {
  const those = sql`realm_id = ${change.state.id} AND message_id = ANY(${ids}::bigint[])`
  await change.run(sql`DELETE FROM message_flag WHERE ${those}`)
  await unlinkUploads(change, ids)
  const gone = await change.run(
    sql<{
      sender_id: number
    }>`DELETE FROM message WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])
      RETURNING sender_id`,
  )
  // Whoever wrote them may not be subscribed.
  const senders = [...new Set(gone.map((row) => row.sender_id))]
  const heard = { ...audienceOfAll(recipient, ids, change.lastMessageId + 1), users: senders }
  await change.noteBounds(recipient)
  const tell = (event: DeleteEvent, audience: Audience) => change.emit(event, audience)
  const event: DeleteEvent = { type: 'delete_message', message_ids: ids, recipient, topic }
  if (ids.length === 1) return tell(event, heard)
  tell({ ...event, for: 'bulk' }, heard)
  const users = await listenersOneByOne(change)
  if (users.length === 0) return
  for (const id of ids.toReversed()) tell({ ...event, message_ids: [id], for: 'single' }, { users })
}

/** Those who listen with a client that knows only one message an event: few, as a rule none. */
async function listenersOneByOne(change: Change): Promise<number[]> {
  const rows = await change.run(sql<{ user_id: number }>`
    SELECT DISTINCT user_id FROM event_queue WHERE realm_id = ${change.state.id}
      AND options -> 'capabilities' ->> 'bulk_message_deletion' IS DISTINCT FROM 'true'`)
  return rows.map((row) => row.user_id)
}
