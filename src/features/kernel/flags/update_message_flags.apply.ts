import { without } from '../../../lib/collections/without.ts'
import type { ClientState } from '../../../queues/client-state.ts'
import { addUnread, clearUnread, type MessageDetails, removeUnread } from './client-unread.ts'

type FlagsChanged = {
  op: 'add' | 'remove'
  flag: string
  messages: number[]
  all: boolean
  message_details?: Record<number, MessageDetails>
}

export function applyUpdateMessageFlags(state: ClientState, event: FlagsChanged) {
  if (event.flag === 'starred' && state.starred_messages) {
    const others = without<number>(state.starred_messages, event.messages)
    state.starred_messages =
      event.op === 'add' ? [...others, ...event.messages].sort((a, b) => a - b) : others
  }
  if (event.flag !== 'read' || !state.unread_msgs) return
  if (event.all) clearUnread(state.unread_msgs)
  else if (event.op === 'add') removeUnread(state, event.messages)
  else addUnread(state, event.message_details ?? {})
}
