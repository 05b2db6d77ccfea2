import { ApiError, badRequest } from '../lib/api-error.ts'
import type { Queue } from './queue.ts'

export function badEventQueue(id: string, message = `Bad event queue ID: ${id}`) {
  return new ApiError(message, 'BAD_EVENT_QUEUE_ID', 400, { queue_id: id })
}

/** A client that names an event must register anew. -1 names none: clients treat that error as their own mistake. */
export function pruned(queue: Queue, lastEventId: number) {
  const message = `An event newer than ${lastEventId} has already been pruned!`
  return lastEventId < 0 ? badRequest(message) : badEventQueue(queue.id, message)
}
