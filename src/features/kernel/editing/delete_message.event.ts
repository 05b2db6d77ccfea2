import type { EventType, Listener } from '../../../queues/event-type.ts'
import { readableOf } from '../messages/access.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import { applyDeleteMessage } from './delete_message.apply.ts'

/**
 * Messages have been deleted, or moved to a channel that some users may not read. For those users the messages are
 * gone.
 */
export type DeleteEvent = {
  type: 'delete_message'
  /** In ascending order. */
  message_ids: number[]
  /** The recipient of the messages before the change. */
  recipient: number
  topic: string
  moved_to?: number
  /**
   * The clients that receive the event, by default all: clients that support bulk_message_deletion, or clients that know only one
   * message per event.
   */
  for?: 'bulk' | 'single'
}

export function messagesMovedAway(
  recipient: number,
  topic: string,
  message_ids: number[],
  moved_to: number,
): DeleteEvent {
  return { type: 'delete_message', message_ids, recipient, topic, moved_to }
}

declare module '../../../log/entry.ts' {
  interface Events {
    delete_message: DeleteEvent
  }
}

export const deleteMessageEvent = {
  type: 'delete_message',

  variant(event, listener) {
    const { bulk_message_deletion, empty_topic_name } = listener.queue.options.capabilities
    if (event.for && event.for !== (bulk_message_deletion ? 'bulk' : 'single')) return null
    const ids = idsFor(event, listener)
    if (ids.length === 0) return null
    return `${ids.length === event.message_ids.length ? '' : ids.join()}|${+bulk_message_deletion}|${+empty_topic_name}`
  },

  wire(event, listener) {
    const { recipients } = listener.state
    const { bulk_message_deletion, empty_topic_name } = listener.queue.options.capabilities
    const ids = idsFor(event, listener)
    const channelId = recipients.get(event.recipient)?.channel_id
    const topic = shownTopic(event.topic, empty_topic_name)
    return {
      type: 'delete_message',
      ...(bulk_message_deletion ? { message_ids: ids } : { message_id: ids[0] }),
      ...(channelId ? { message_type: 'stream', stream_id: channelId, topic } : { message_type: 'private' }),
    }
  },

  changes: (event) => event.message_ids,

  apply: applyDeleteMessage,
} satisfies EventType<DeleteEvent>

/**
 * Returns the ids of the messages that the listener could fetch; of moved messages, those that the listener no longer
 * can.
 */
function idsFor({ recipient, message_ids, moved_to }: DeleteEvent, { state, me }: Listener): number[] {
  const known = readableOf(state, me, recipient, message_ids)
  if (moved_to === undefined) return known
  const kept = new Set(readableOf(state, me, moved_to, known))
  return known.filter((id) => !kept.has(id))
}
