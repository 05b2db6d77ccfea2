import { sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import type { Change } from '../../../log/change.ts'
import type { CalledByEdit, UpdateEvent } from '../../kernel/editing/update_message.event.ts'

type Calling = Pick<MessageRow, 'mentions_channel' | 'topic_mentioned'> & { mentioned: number[] }

/** Whom an edit calls in addition, and whether it does not call some any more. */
export type CallsOfEdit = Pick<UpdateEvent, 'called' | 'callsFewer'>

/**
 * Compares whom the new text of a message calls with whom the text before did, before it is written. All readers of a direct
 * message were notified when it was sent, so it makes no difference there.
 */
export async function callsOfEdit(change: Change, before: MessageRow, after: Calling): Promise<CallsOfEdit> {
  const { state } = change
  const { channel_id } = state.recipients.require(before.recipient_id)
  if (channel_id === null) return {}
  const flags = await change.run(sql<{ user_id: number }>`
    SELECT user_id FROM message_flag
    WHERE realm_id = ${state.id} AND message_id = ${before.id} AND flag = 'mentioned'`)
  const earlier = [...flags.map((row) => row.user_id), ...(before.topic_mentioned ?? [])]
  const called = before.mentions_channel ? undefined : calledAnew(before, earlier, after)
  const now = new Set([...after.mentioned, ...(after.topic_mentioned ?? [])])
  const isFewer = before.mentions_channel || earlier.some((id) => !now.has(id))
  return { ...(called && { called }), ...(isFewer && !after.mentions_channel && { callsFewer: true }) }
}

function calledAnew({ sender_id }: MessageRow, earlier: number[], after: Calling): CalledByEdit | undefined {
  const known = new Set([...earlier, sender_id])
  const mentioned = after.mentioned.filter((id) => !known.has(id))
  const participants = (after.topic_mentioned ?? []).filter((id) => !known.has(id))
  if (after.mentions_channel) return { mentioned, participants, allBut: [...known] }
  return mentioned.length + participants.length > 0 ? { mentioned, participants } : undefined
}
