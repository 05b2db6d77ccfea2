import type { Entry } from '../entry.ts'

/** The fields with which events describe their changes. */
type ChangeEvent = {
  recipient: number
  move?: { to_recipient?: number }
  moved_to?: number
  message_id: number
  messages: number[]
  op?: string
  flag?: string
}

const nothing: { recipients: number[]; ids: number[] } = { recipients: [], ids: [] }

/** Returns the conversations, or the messages, that an event may have changed in any way. */
export function changedBy(event: Entry['event']): typeof nothing {
  if (!event) return nothing
  const { recipient, move, moved_to, message_id, messages, op, flag } = event as object as ChangeEvent
  switch (event.type as string) {
    case 'update_message':
    case 'delete_message': {
      const to = move?.to_recipient ?? moved_to
      return { recipients: to === undefined ? [recipient] : [recipient, to], ids: [] }
    }
    case 'reaction':
    case 'submessage':
      return { recipients: [], ids: [message_id] }
    case 'update_message_flags':
      // If senders mark messages of their own as unread, that is stored with the messages.
      return op === 'remove' && flag === 'read' ? { recipients: [], ids: messages } : nothing
    default:
      return nothing
  }
}
