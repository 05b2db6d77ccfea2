import type { EventType } from '../../../queues/event-type.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import { shownTopic } from './shown-topic.ts'
import { applyUserTopic } from './user_topic.apply.ts'

type UserTopic = {
  stream_id: number
  topic_name: string
  last_updated: number
  visibility_policy: number
}

type UserTopicEvent = UserTopic & { type: 'user_topic' }

export function userTopicChanged(
  channelId: number,
  topic: string,
  policy: number,
  updatedAt: number,
): UserTopicEvent {
  return {
    type: 'user_topic',
    stream_id: channelId,
    topic_name: topic,
    last_updated: updatedAt,
    visibility_policy: policy,
  }
}

declare module '../../../log/entry.ts' {
  interface Events {
    user_topic: UserTopicEvent
  }
}

export const userTopicEvent = {
  type: 'user_topic',

  variant: (_event, { queue }) => `${+queue.options.capabilities.empty_topic_name}`,
  wire: (event, { queue }) => shownUserTopic(event, queue.options.capabilities),

  apply: applyUserTopic,
} satisfies EventType<UserTopicEvent>

/** Returns the visibility of a topic for a client that may not know the empty topic. */
export function shownUserTopic<One extends UserTopic>(one: One, { empty_topic_name }: Capabilities): One {
  return { ...one, topic_name: shownTopic(one.topic_name, empty_topic_name) }
}
