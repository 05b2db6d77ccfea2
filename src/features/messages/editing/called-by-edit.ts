import { sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import type { Change } from '../../../log/change.ts'
import type { CalledByEdit } from '../../kernel/editing/update_message.event.ts'

type Calling = Pick<MessageRow, 'mentions_channel' | 'topic_mentioned'> & { mentioned: number[] }

/**
 * Returns the users whom the new text of a message calls and the text before did not; undefined if there are none. To be called
 * before the new text is written. All readers of a direct message were notified when it was sent, so an edit calls none of them.
 */
export async function calledByEdit(
  change: Change,
  before: MessageRow,
  after: Calling,
): Promise<CalledByEdit | undefined> {
  const { state } = change
  const { channel_id } = state.recipients.require(before.recipient_id)
  const now = [...after.mentioned, ...(after.topic_mentioned ?? [])]
  if (channel_id === null || before.mentions_channel) return undefined
  if (now.length === 0 && !after.mentions_channel) return undefined
  const flags = await change.run(sql<{ user_id: number }>`
    SELECT user_id FROM message_flag
    WHERE realm_id = ${state.id} AND message_id = ${before.id} AND flag = 'mentioned'`)
  const earlier = [...flags.map((row) => row.user_id), ...(before.topic_mentioned ?? [])]
  const known = new Set([...earlier, before.sender_id])
  const mentioned = after.mentioned.filter((id) => !known.has(id))
  const participants = (after.topic_mentioned ?? []).filter((id) => !known.has(id))
  if (after.mentions_channel) return { mentioned, participants, allBut: [...known] }
  return mentioned.length + participants.length > 0 ? { mentioned, participants } : undefined
}
