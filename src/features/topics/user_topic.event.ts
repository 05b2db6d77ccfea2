import type { ClientState, EventType } from '../../queues/event-type.ts'

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

export const userTopicEvent = {
  type: 'user_topic',

  apply(state: ClientState, { stream_id, topic_name, last_updated, visibility_policy }: UserTopicEvent) {
    if (!state.user_topics) return
    const rest = state.user_topics.filter(
      (one: UserTopic) =>
        one.stream_id !== stream_id || one.topic_name.toLowerCase() !== topic_name.toLowerCase(),
    )
    const changed = { stream_id, topic_name, last_updated, visibility_policy }
    state.user_topics = visibility_policy === 0 ? rest : [...rest, changed]
  },
} satisfies EventType<UserTopicEvent>
