import type { Endpoint } from '../http/endpoint.ts'
import { EventTypes } from '../queues/event-type.ts'
import { deleteQueue } from './events/delete-queue.ts'
import { getEvents } from './events/get-events.ts'
import { updateMessageFlags } from './flags/update-message-flags.ts'
import { updateMessageFlagsEvent } from './flags/update_message_flags.event.ts'
import { getMessage } from './messages/get-message.ts'
import { getMessages } from './messages/get-messages.ts'
import { messageEvent } from './messages/message.event.ts'
import { sendMessage } from './messages/send-message.ts'
import { getChannelTopics } from './topics/get-channel-topics.ts'

/** Every operation of the API. */
export const endpoints: Endpoint[] = [
  deleteQueue,
  getEvents,
  updateMessageFlags,
  getMessage,
  getMessages,
  sendMessage,
  getChannelTopics,
]

/** Every type of event. */
export function eventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(messageEvent, updateMessageFlagsEvent)
  return types
}
