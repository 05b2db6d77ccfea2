import type { MessageWindow } from '../../store/message-window.ts'
import { useRefresh } from '../parts/refresh.ts'

/** How often new messages are asked for, in milliseconds. */
const every = 10_000

/**
 * Follows a channel to which the user is not subscribed. Events tell of its messages only to subscribers, so new ones are asked for
 * often, and what else has changed less often: edits, reactions and messages that are gone.
 */
export function Following(props: { messages: MessageWindow }) {
  useRefresh(() => props.messages.catchUp(), every)
  useRefresh(() => props.messages.refresh())
  return undefined
}
