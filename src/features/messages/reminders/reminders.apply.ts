import type { ClientState } from '../../../queues/client-state.ts'

type Reminder = { reminder_id: number; scheduled_delivery_timestamp: number }
type ReminderEvent = { op: 'add'; reminders: Reminder[] } | { op: 'remove'; reminder_id: number }

export function applyReminders(state: ClientState, event: ReminderEvent) {
  const all: Reminder[] | undefined = state.reminders
  if (!all) return
  const ids = event.op === 'add' ? event.reminders.map((one) => one.reminder_id) : [event.reminder_id]
  const others = all.filter((one) => !ids.includes(one.reminder_id))
  state.reminders = event.op === 'add' ? inOrder([...others, ...event.reminders]) : others
}

function inOrder(list: Reminder[]) {
  return list.sort(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id,
  )
}
