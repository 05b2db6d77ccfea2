import { leavesState } from '../../../queues/client-state.ts'
import type { EventType } from '../../../queues/event-type.ts'
import { shownTopic } from '../../kernel/topics/shown-topic.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'

export type TypingEditEvent = {
  type: 'typing_edit_message'
  op: 'start' | 'stop'
  sender_id: number
  message_id: number
  recipient: { type: 'channel'; channel_id: number; topic: string } | { type: 'direct'; user_ids: number[] }
}

declare module '../../../log/entry.ts' {
  interface Events {
    typing_edit_message: TypingEditEvent
  }
}

export const typingEditMessageEvent = {
  type: 'typing_edit_message',

  // Events of users whom the listener may not see are dropped.
  variant({ sender_id }, { state, me, queue }) {
    if (!canSeeUser(state, me, state.users.require(sender_id))) return null
    return `${+queue.options.capabilities.empty_topic_name}`
  },

  wire(event, { queue }) {
    const { recipient } = event
    if (recipient.type === 'direct') return event
    const topic = shownTopic(recipient.topic, queue.options.capabilities.empty_topic_name)
    return { ...event, recipient: { ...recipient, topic } }
  },

  // Typing is transient and not part of the state.
  apply: leavesState,
} satisfies EventType<TypingEditEvent>
