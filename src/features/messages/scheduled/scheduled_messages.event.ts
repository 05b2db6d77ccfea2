import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { ScheduledView } from '../kernel/scheduled/scheduled.ts'

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

  apply(state: ClientState, event: ScheduledEvent) {
    const all: ScheduledView[] | undefined = state.scheduled_messages
    if (!all) return
    const without = (id: number) => all.filter((one) => one.scheduled_message_id !== id)
    if (event.op === 'add') state.scheduled_messages = inOrder([...all, ...event.scheduled_messages])
    if (event.op === 'update') {
      const { scheduled_message: one } = event
      state.scheduled_messages = inOrder([...without(one.scheduled_message_id), one])
    }
    if (event.op === 'remove') state.scheduled_messages = without(event.scheduled_message_id)
  },
} satisfies EventType<ScheduledEvent>

function inOrder(list: ScheduledView[]) {
  return list.sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  )
}
