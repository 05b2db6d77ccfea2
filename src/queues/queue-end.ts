import type { Entry } from '../log/entry.ts'
import { type Queue, wants } from './queue.ts'

/**
 * More has changed for its audience than events can tell: queues for events of these types end, and their clients register anew. No
 * client receives it as an event.
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

/** Whether a queue ends by an entry, if its user is in the audience. */
export function endsBy({ event }: Pick<Entry, 'event'>, queue: Queue): boolean {
  return event?.type === 'queue_end' && event.of.some((type) => wants(queue, type))
}
