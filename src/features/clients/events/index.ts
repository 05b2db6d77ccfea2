import { deleteQueue } from './delete-queue.ts'
import { getEvents } from './get-events.ts'

export const endpoints = [deleteQueue, getEvents]
