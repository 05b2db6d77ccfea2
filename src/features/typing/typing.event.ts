import type { EventType } from '../../queues/event-type.ts'
import { emptyTopicDisplayName } from '../realm/settings.ts'

type Person = { user_id: number; email: string }

export type TypingEvent = { type: 'typing'; op: 'start' | 'stop'; sender: Person } & (
  | { message_type: 'direct'; recipients: Person[] }
  | { message_type: 'stream'; stream_id: number; topic: string }
)

export const typingEvent = {
  type: 'typing',

  // In channels, it is for clients that know what to do with it (level 58).
  variant(event, { queue }) {
    const { stream_typing_notifications, empty_topic_name } = queue.options.capabilities
    if (event.message_type === 'direct') return ''
    return stream_typing_notifications ? `${+empty_topic_name}` : null
  },

  wire(event, { queue }) {
    if (event.message_type === 'direct' || queue.options.capabilities.empty_topic_name) return event
    return { ...event, topic: event.topic || emptyTopicDisplayName }
  },

  // It passes, and is no part of the state.
  apply() {},
} satisfies EventType<TypingEvent>
