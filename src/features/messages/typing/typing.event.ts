import { leavesState } from '../../../queues/client-state.ts'
import type { EventType, Listener } from '../../../queues/event-type.ts'
import { shownTopic } from '../../kernel/topics/shown-topic.ts'
import { authorVariant, authorView } from '../../kernel/users/author-view.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'

/** In the log, users are ids. */
export type TypingEvent = { type: 'typing'; op: 'start' | 'stop'; sender_id: number } & (
  | { message_type: 'direct'; recipient_ids: number[] }
  | { message_type: 'stream'; stream_id: number; topic: string }
)

declare module '../../../log/entry.ts' {
  interface Events {
    typing: TypingEvent
  }
}

export const typingEvent = {
  type: 'typing',

  // Channel events are for clients that support them (level 58). Events of users whom the listener may not see are
  // dropped.
  variant(event, { state, me, queue }) {
    const { stream_typing_notifications, empty_topic_name } = queue.options.capabilities
    const people = event.message_type === 'direct' ? event.recipient_ids : [event.sender_id]
    if (!people.every((id) => canSeeUser(state, me, state.users.require(id)))) return null
    const sight = authorVariant(state, state.users.require(event.sender_id), me)
    if (event.message_type === 'direct') return sight
    return stream_typing_notifications ? `${+empty_topic_name}|${sight}` : null
  },

  wire(event, listener) {
    const { type, op, message_type, sender_id } = event
    const shown = { type, op, message_type, sender: personView(sender_id, listener) }
    if (event.message_type === 'direct') {
      return { ...shown, recipients: event.recipient_ids.map((id) => personView(id, listener)) }
    }
    const { empty_topic_name } = listener.queue.options.capabilities
    return { ...shown, stream_id: event.stream_id, topic: shownTopic(event.topic, empty_topic_name) }
  },

  // Typing is transient and not part of the state.
  apply: leavesState,
} satisfies EventType<TypingEvent>

function personView(id: number, { state, site, me }: Listener) {
  return { user_id: id, email: authorView(state, site, state.users.require(id), me).email }
}
