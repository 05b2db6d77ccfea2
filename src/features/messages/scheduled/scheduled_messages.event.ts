import type { EventType } from '../../../queues/event-type.ts'
import type { ScheduledView } from '../kernel/scheduled/scheduled.ts'
import { applyScheduledMessages } from './scheduled_messages.apply.ts'

type ScheduledEvent = { type: 'scheduled_messages' } & (
  | { op: 'add'; scheduled_messages: ScheduledView[] }
  | { op: 'update'; scheduled_message: ScheduledView }
  | { op: 'remove'; scheduled_message_id: number }
)

export function scheduledAdded(view: ScheduledView): ScheduledEvent {
  return { type: 'scheduled_messages', op: 'add', scheduled_messages: [view] }
}

export function scheduledUpdated(view: ScheduledView): ScheduledEvent {
  return { type: 'scheduled_messages', op: 'update', scheduled_message: view }
}

export function scheduledRemoved(id: number): ScheduledEvent {
  return { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id }
}

declare module '../../../log/entry.ts' {
  interface Events {
    scheduled_messages: ScheduledEvent
  }
}

export const scheduledMessagesEvent = {
  type: 'scheduled_messages',

  apply: applyScheduledMessages,
} satisfies EventType<ScheduledEvent>
