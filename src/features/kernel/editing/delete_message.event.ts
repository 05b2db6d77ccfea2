import type { ClientState, EventType, Listener } from '../../../queues/event-type.ts'
import { removeUnread } from '../flags/client-unread.ts'
import { readableOf } from '../messages/access.ts'
import { shownTopic } from '../topics/shown-topic.ts'

/** Messages have been deleted, or moved to where some may not follow them, who hear that they are gone. */
export type DeleteEvent = {
  type: 'delete_message'
  /** Rising. */
  message_ids: number[]
  /** Where they were. */
  recipient: number
  topic: string
  moved_to?: number
  /** Whether clients hear of it that know only one message an event (no bulk_message_deletion); by default all do. */
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

  apply(state: ClientState, event: { message_ids?: number[]; message_id?: number }) {
    const ids = event.message_ids ?? [event.message_id!]
    if (state.unread_msgs) removeUnread(state, ids)
    if (state.starred_messages) {
      state.starred_messages = state.starred_messages.filter((id: number) => !ids.includes(id))
    }
  },
} satisfies EventType<DeleteEvent>

/** Those that the listener could fetch; of what has moved, those that they no longer can. */
function idsFor({ recipient, message_ids, moved_to }: DeleteEvent, { state, me }: Listener): number[] {
  const known = readableOf(state, me, recipient, message_ids)
  if (moved_to === undefined) return known
  const kept = new Set(readableOf(state, me, moved_to, known))
  return known.filter((id) => !kept.has(id))
}
