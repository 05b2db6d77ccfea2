import { createReminder } from './create-reminder.ts'
import { deleteReminder } from './delete-reminder.ts'
import { getReminders } from './get-reminders.ts'
import { remindersEvent } from './reminders.event.ts'

/** The operations of this capability. */
export const endpoints = [createReminder, deleteReminder, getReminders]

/** Its types of events. */
export const eventTypes = [remindersEvent]
