import type { EventType } from '../../../queues/event-type.ts'
import { applyReminders } from './reminders.apply.ts'
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

  apply: applyReminders,
} satisfies EventType<RemindersEvent>
