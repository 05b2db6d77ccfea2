import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { EventType } from '../../../queues/event-type.ts'
import { wildcardFlags } from '../messages/wildcards.ts'
import { shownTopic } from '../topics/shown-topic.ts'
import type { Muting } from '../topics/visibility.ts'
import type { MessageDetails } from './client-unread.ts'
import type { FlaggedMessage } from './flagged.ts'
import { applyUpdateMessageFlags } from './update_message_flags.apply.ts'

export type FlagsEvent = {
  type: 'update_message_flags'
  op: 'add' | 'remove'
  operation: 'add' | 'remove' // the name of op before level 32
  flag: string
  messages: number[]
  all: boolean
  /**
   * The conversations that the messages were in when they were marked, if no other messages were marked. Clients do not receive
   * it.
   */
  recipients?: number[]
  message_details?: Record<number, MessageDetails>
}

export function flagsEvent(op: 'add' | 'remove', flag: string, messages: FlaggedMessage[]): FlagsEvent {
  const ids = messages.map((message) => message.id)
  return { type: 'update_message_flags', op, operation: op, flag, messages: ids, all: false }
}

/** Reports that messages are unread again. */
export function messagesUnread(
  realm: RealmState,
  me: AccountRow,
  messages: FlaggedMessage[],
  isMuted: Muting,
): FlagsEvent {
  const details = messages.map((message) => [message.id, detailsOf(realm, me, message, isMuted)])
  return { ...flagsEvent('remove', 'read', messages), message_details: Object.fromEntries(details) }
}

/** Reports messages that have been read because of a change to them or to the reader. */
export function messagesRead(messages: number[]): FlagsEvent {
  return { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all: false }
}

/** Reports that everything has been read. Clients do not need the single ids. */
export function everythingRead(): FlagsEvent {
  return { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [], all: true }
}

function detailsOf(
  realm: RealmState,
  me: AccountRow,
  message: FlaggedMessage,
  isMuted: Muting,
): MessageDetails {
  const { user_ids, channel_id } = realm.recipients.require(message.recipient_id)
  const unmuted = channel_id === null || !isMuted(channel_id, message.topic)
  const isNamed = message.own_flags.includes('mentioned')
  const mentioned = (isNamed || (unmuted && wildcardFlags(message, me.id).length > 0)) && {
    mentioned: true as const,
  }
  if (user_ids) return { type: 'private', user_ids: user_ids.filter((id) => id !== me.id), ...mentioned }
  const { topic } = message
  return { type: 'stream', stream_id: channel_id, topic, unmuted_stream_msg: unmuted, ...mentioned }
}

declare module '../../../log/entry.ts' {
  interface Events {
    update_message_flags: FlagsEvent
  }
}

export const updateMessageFlagsEvent = {
  type: 'update_message_flags',

  variant: (_event, { queue }) => `${+queue.options.capabilities.empty_topic_name}`,

  wire({ recipients: _, ...event }, { queue }) {
    if (!event.message_details) return event
    const { empty_topic_name } = queue.options.capabilities
    const details = Object.entries(event.message_details)
    const shown = details.map(([id, detail]) => [id, shownDetails(detail, empty_topic_name)])
    return { ...event, message_details: Object.fromEntries(shown) }
  },

  apply: applyUpdateMessageFlags,
} satisfies EventType<FlagsEvent>

function shownDetails(details: MessageDetails, knowsEmptyTopic: boolean): MessageDetails {
  if (details.type === 'private') return details
  return { ...details, topic: shownTopic(details.topic, knowsEmptyTopic) }
}
