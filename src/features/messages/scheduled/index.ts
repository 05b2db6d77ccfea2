import { createScheduled } from './create-scheduled.ts'
import { deleteScheduled } from './delete-scheduled.ts'
import { scheduledDelivery } from './deliver-scheduled.ts'
import { getScheduled } from './get-scheduled.ts'
import { scheduledMessagesEvent } from './scheduled_messages.event.ts'
import { updateScheduled } from './update-scheduled.ts'

export const endpoints = [createScheduled, deleteScheduled, getScheduled, updateScheduled]

export const eventTypes = [scheduledMessagesEvent]

export const jobHandlers = [scheduledDelivery]
