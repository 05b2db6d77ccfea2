import { ApiError, badRequest } from '../lib/api-error.ts'
import type { Queue } from './queue.ts'

export function badEventQueue(id: string, message = `Bad event queue ID: ${id}`) {
  return new ApiError(message, 'BAD_EVENT_QUEUE_ID', 400, { queue_id: id })
}

/**
 * The client asks for events that it has acknowledged already. If it names an event, it gets BAD_EVENT_QUEUE_ID and registers anew. -1
 * names none, and gets the error of a wrong request.
 */
export function prunedError(queue: Queue, lastEventId: number) {
  const message = `An event newer than ${lastEventId} has already been pruned!`
  return lastEventId < 0 ? badRequest(message) : badEventQueue(queue.id, message)
}
