import type { Document } from '../http/document.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { EventTypes } from '../queues/event-type.ts'
import { addDefaultChannel } from './channels/add-default-channel.ts'
import { defaultStreamsEvent } from './channels/default_streams.event.ts'
import { getChannel } from './channels/get-channel.ts'
import { getChannelId } from './channels/get-channel-id.ts'
import { getChannels } from './channels/get-channels.ts'
import { removeDefaultChannel } from './channels/remove-default-channel.ts'
import { streamEvent } from './channels/stream.event.ts'
import { emojiNames } from './emoji/emoji-names.ts'
import { deleteQueue } from './events/delete-queue.ts'
import { getEvents } from './events/get-events.ts'
import { updateMessageFlagsEvent } from './flags/update_message_flags.event.ts'
import { updateMessageFlags } from './flags/update-message-flags.ts'
import { getGroups } from './groups/get-groups.ts'
import { userGroupEvent } from './groups/user_group.event.ts'
import { fetchApiKey } from './login/fetch-api-key.ts'
import { getMessage } from './messages/get-message.ts'
import { getMessages } from './messages/get-messages.ts'
import { messageEvent } from './messages/message.event.ts'
import { sendMessage } from './messages/send-message.ts'
import { getOpenApi } from './openapi/get-openapi.ts'
import { registerQueue } from './register/register-queue.ts'
import { getServerSettings } from './server-settings/get-server-settings.ts'
import { getSubscribers } from './subscriptions/get-subscribers.ts'
import { getSubscriptions } from './subscriptions/get-subscriptions.ts'
import { subscribe } from './subscriptions/subscribe.ts'
import { subscriptionEvent } from './subscriptions/subscription.event.ts'
import { unsubscribe } from './subscriptions/unsubscribe.ts'
import { getChannelTopics } from './topics/get-channel-topics.ts'
import { muteTopic } from './topics/mute-topic.ts'
import { mutedTopicsEvent } from './topics/muted_topics.event.ts'
import { setUserTopic } from './topics/set-user-topic.ts'
import { userTopicEvent } from './topics/user_topic.event.ts'
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
  addDefaultChannel,
  getChannel,
  getChannelId,
  getChannels,
  removeDefaultChannel,
  deleteQueue,
  getEvents,
  updateMessageFlags,
  getGroups,
  fetchApiKey,
  getMessage,
  getMessages,
  sendMessage,
  getOpenApi(() => endpoints),
  registerQueue,
  getServerSettings,
  getSubscribers,
  getSubscriptions,
  subscribe,
  unsubscribe,
  getChannelTopics,
  muteTopic,
  setUserTopic,
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  updateUser,
  updateUserByEmail,
]

/** What is served outside the API. */
export const documents: Document[] = [emojiNames]

/** Every type of event. */
export function eventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(
    defaultStreamsEvent,
    streamEvent,
    messageEvent,
    mutedTopicsEvent,
    userTopicEvent,
    updateMessageFlagsEvent,
    userGroupEvent,
    subscriptionEvent,
    realmUserEvent,
  )
  return types
}
