import { sql } from 'kysely'
import type { Change } from '../../../../log/change.ts'
import type { Audience } from '../../../../log/entry.ts'
import { hears } from '../../../../queues/audience.ts'
import type { DeleteEvent } from '../../../kernel/editing/delete_message.event.ts'

/**
 * Tells an audience that messages are gone: in one event, and those of its clients that know only one message an event
 * (no bulk_message_deletion) of one after the other, the newest first.
 */
export async function emitMessagesDeleted(change: Change, event: DeleteEvent, audience: Audience) {
  const tell = (one: DeleteEvent, to: Audience) => change.emit(one, to)
  if (event.message_ids.length === 1) return tell(event, audience)
  tell({ ...event, for: 'bulk' }, audience)
  const listeners = await listenersOneByOne(change)
  const users = listeners.filter((id) => hears(change.state, audience, id))
  if (users.length === 0) return
  for (const id of event.message_ids.toReversed())
    tell({ ...event, message_ids: [id], for: 'single' }, { users })
}

/** Those who listen with such a client: few, as a rule none. */
async function listenersOneByOne(change: Change): Promise<number[]> {
  const rows = await change.run(sql<{ user_id: number }>`
    SELECT DISTINCT user_id FROM event_queue WHERE realm_id = ${change.state.id}
      AND options -> 'capabilities' ->> 'bulk_message_deletion' IS DISTINCT FROM 'true'`)
  return rows.map((row) => row.user_id)
}
