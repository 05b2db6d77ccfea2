import { deleteQueue } from './delete-queue.ts'
import { getEvents } from './get-events.ts'

/** The operations of this capability. */
export const endpoints = [deleteQueue, getEvents]
