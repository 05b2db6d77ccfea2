import type { Entry } from '../log/entry.ts'
import { type Queue, wants } from './queue.ts'

/**
 * An entry that ends the queues of its audience, if they are for events of these types: more has changed than events can tell, so the
 * clients must register anew. No client receives it as an event.
 */
type QueueEnd = { type: 'queue_end'; of: string[] }

declare module '../log/entry.ts' {
  interface Events {
    queue_end: QueueEnd
  }
}

export function queueEnd(...types: string[]): QueueEnd {
  return { type: 'queue_end', of: types }
}

/** Whether an entry ends this queue, given that the queue's user is in the audience. */
export function endsBy({ event }: Pick<Entry, 'event'>, queue: Queue): boolean {
  return event?.type === 'queue_end' && event.of.some((type) => wants(queue, type))
}
