import { sql } from 'kysely'
import type { Change } from '../../../../log/change.ts'
import type { Audience } from '../../../../log/entry.ts'
import { isInAudience } from '../../../../queues/audience.ts'
import type { DeleteEvent } from '../../../kernel/editing/delete_message.event.ts'

/**
 * Emits the deletion of messages to an audience. Clients with bulk_message_deletion receive one event. Other clients
 * receive one event per message, the newest first.
 */
export async function emitMessagesDeleted(change: Change, event: DeleteEvent, audience: Audience) {
  const tell = (one: DeleteEvent, to: Audience) => change.emit(one, to)
  if (event.message_ids.length === 1) return tell(event, audience)
  tell({ ...event, for: 'bulk' }, audience)
  const listeners = await listenersOneByOne(change)
  const users = listeners.filter((id) => isInAudience(change.state, audience, id))
  if (users.length === 0) return
  for (const id of event.message_ids.toReversed())
    tell({ ...event, message_ids: [id], for: 'single' }, { users })
}

/** Returns the users with a client that needs one event per message: few, and usually none. */
async function listenersOneByOne(change: Change): Promise<number[]> {
  const rows = await change.run(sql<{ user_id: number }>`
    SELECT DISTINCT user_id FROM event_queue WHERE realm_id = ${change.state.id}
      AND options -> 'capabilities' ->> 'bulk_message_deletion' IS DISTINCT FROM 'true'`)
  return rows.map((row) => row.user_id)
}
