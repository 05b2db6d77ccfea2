import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { ReminderView } from './reminders.ts'

type RemindersEvent = { type: 'reminders' } & (
  | { op: 'add'; reminders: ReminderView[] }
  | { op: 'remove'; reminder_id: number }
)

export function reminderAdded(view: ReminderView): RemindersEvent {
  return { type: 'reminders', op: 'add', reminders: [view] }
}

export function reminderRemoved(id: number): RemindersEvent {
  return { type: 'reminders', op: 'remove', reminder_id: id }
}

declare module '../../../log/entry.ts' {
  interface Events {
    reminders: RemindersEvent
  }
}

export const remindersEvent = {
  type: 'reminders',

  apply(state: ClientState, event: RemindersEvent) {
    const all: ReminderView[] | undefined = state.reminders
    if (!all) return
    const ids = event.op === 'add' ? event.reminders.map((one) => one.reminder_id) : [event.reminder_id]
    const others = all.filter((one) => !ids.includes(one.reminder_id))
    state.reminders = event.op === 'add' ? inOrder([...others, ...event.reminders]) : others
  },
} satisfies EventType<RemindersEvent>

function inOrder(list: ReminderView[]) {
  return list.sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id,
  )
}
