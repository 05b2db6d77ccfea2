import { without } from '../../../lib/collections/without.ts'
import type { ClientState } from '../../../queues/client-state.ts'
import { removeUnread } from '../flags/client-unread.ts'

/**
 * `max_message_id` and `recent_private_conversations` stay as they are: the API's event does not say which message is the newest
 * now, nor in which direct conversation messages were deleted. Clients use both only to begin reading, and to sort conversations.
 */
export function applyDeleteMessage(
  state: ClientState,
  event: { message_ids?: number[]; message_id?: number },
) {
  const ids = event.message_ids ?? (event.message_id === undefined ? [] : [event.message_id])
  if (state.unread_msgs) removeUnread(state, ids)
  if (state.starred_messages) {
    state.starred_messages = without(state.starred_messages, ids)
  }
}
