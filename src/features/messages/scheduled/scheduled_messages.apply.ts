import type { ClientState } from '../../../queues/client-state.ts'

type Scheduled = { scheduled_message_id: number; scheduled_delivery_timestamp: number }
type ScheduledEvent =
  | { op: 'add'; scheduled_messages: Scheduled[] }
  | { op: 'update'; scheduled_message: Scheduled }
  | { op: 'remove'; scheduled_message_id: number }

export function applyScheduledMessages(state: ClientState, event: ScheduledEvent) {
  const all: Scheduled[] | undefined = state.scheduled_messages
  if (!all) return
  const without = (id: number) => all.filter((one) => one.scheduled_message_id !== id)
  if (event.op === 'add') state.scheduled_messages = inOrder([...all, ...event.scheduled_messages])
  if (event.op === 'update') {
    const { scheduled_message: one } = event
    state.scheduled_messages = inOrder([...without(one.scheduled_message_id), one])
  }
  if (event.op === 'remove') state.scheduled_messages = without(event.scheduled_message_id)
}

function inOrder(list: Scheduled[]) {
  return list.sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  )
}
