import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import { countUnread } from '../flags/client-unread.ts'
import { isSameShownTopic, shownTopic } from './shown-topic.ts'

type UserTopic = { stream_id: number; topic_name: string; last_updated: number; visibility_policy: number }
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

  apply(state: ClientState, { stream_id, topic_name, last_updated, visibility_policy }: UserTopicEvent) {
    if (!state.user_topics) return
    const rest = state.user_topics.filter(
      (one: UserTopic) => one.stream_id !== stream_id || !isSameShownTopic(one.topic_name, topic_name),
    )
    const changed = { stream_id, topic_name, last_updated, visibility_policy }
    state.user_topics = visibility_policy === 0 ? rest : [...rest, changed]
    countUnread(state)
  },
} satisfies EventType<UserTopicEvent>

/** Returns the same for a client that may not know the empty topic. */
export function shownUserTopic<One extends UserTopic>(one: One, { empty_topic_name }: Capabilities): One {
  return { ...one, topic_name: shownTopic(one.topic_name, empty_topic_name) }
}
