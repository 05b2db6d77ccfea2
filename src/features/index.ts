import type { Endpoint } from '../http/endpoint.ts'
import { EventTypes } from '../queues/event-type.ts'
import { deleteQueue } from './events/delete-queue.ts'
import { getEvents } from './events/get-events.ts'
import { updateMessageFlags } from './flags/update-message-flags.ts'
import { updateMessageFlagsEvent } from './flags/update_message_flags.event.ts'
import { userGroupEvent } from './groups/user_group.event.ts'
import { fetchApiKey } from './login/fetch-api-key.ts'
import { getMessage } from './messages/get-message.ts'
import { getMessages } from './messages/get-messages.ts'
import { messageEvent } from './messages/message.event.ts'
import { sendMessage } from './messages/send-message.ts'
import { getServerSettings } from './server-settings/get-server-settings.ts'
import { getChannelTopics } from './topics/get-channel-topics.ts'
import { createUser } from './users/create-user.ts'
import { getOwnUser } from './users/get-own-user.ts'
import { getUser } from './users/get-user.ts'
import { getUserByEmail } from './users/get-user-by-email.ts'
import { getUsers } from './users/get-users.ts'
import { realmUserEvent } from './users/realm_user.event.ts'
import { updateUser } from './users/update-user.ts'
import { updateUserByEmail } from './users/update-user-by-email.ts'

/** Every operation of the API. */
export const endpoints: Endpoint[] = [
  deleteQueue,
  getEvents,
  updateMessageFlags,
  fetchApiKey,
  getMessage,
  getMessages,
  sendMessage,
  getServerSettings,
  getChannelTopics,
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  updateUser,
  updateUserByEmail,
]

/** Every type of event. */
export function eventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(messageEvent, updateMessageFlagsEvent, userGroupEvent, realmUserEvent)
  return types
}
