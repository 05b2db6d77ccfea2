import type { SubmessageRow } from '../../../db/schema.ts'
import { leavesState } from '../../../queues/client-state.ts'
import type { EventType } from '../../../queues/event-type.ts'

type SubmessageEvent = {
  type: 'submessage'
  msg_type: string
  message_id: number
  submessage_id: number
  sender_id: number
  content: string
}

export function submessageAdded(row: SubmessageRow): SubmessageEvent {
  const { msg_type, message_id, id, sender_id, content } = row
  return { type: 'submessage', msg_type, message_id, submessage_id: id, sender_id, content }
}

declare module '../../../log/entry.ts' {
  interface Events {
    submessage: SubmessageEvent
  }
}

export const submessageEvent = {
  type: 'submessage',

  // Submessages belong to messages, which POST /register does not return.
  apply: leavesState,
} satisfies EventType<SubmessageEvent>
