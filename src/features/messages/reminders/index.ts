import { createReminder } from './create-reminder.ts'
import { deleteReminder } from './delete-reminder.ts'
import { getReminders } from './get-reminders.ts'
import { reminderJob } from './remind.ts'
import { remindersEvent } from './reminders.event.ts'

export const endpoints = [createReminder, deleteReminder, getReminders]

export const eventTypes = [remindersEvent]

export const jobHandlers = [reminderJob]
