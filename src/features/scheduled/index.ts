import { createScheduled } from './create-scheduled.ts'
import { deleteScheduled } from './delete-scheduled.ts'
import { getScheduled } from './get-scheduled.ts'
import { scheduledMessagesEvent } from './scheduled_messages.event.ts'
import { updateScheduled } from './update-scheduled.ts'

/** The operations of this capability. */
export const endpoints = [createScheduled, deleteScheduled, getScheduled, updateScheduled]

/** Its types of events. */
export const eventTypes = [scheduledMessagesEvent]
