import type { ClientState } from '../../../queues/client-state.ts'
import { countUnread } from '../flags/client-unread.ts'
import { isSameShownTopic } from './shown-topic.ts'

type UserTopic = { stream_id: number; topic_name: string; last_updated: number; visibility_policy: number }

export function applyUserTopic(
  state: ClientState,
  { stream_id, topic_name, last_updated, visibility_policy }: UserTopic,
) {
  if (!state.user_topics) return
  const rest = state.user_topics.filter(
    (one: UserTopic) => one.stream_id !== stream_id || !isSameShownTopic(one.topic_name, topic_name),
  )
  const changed = { stream_id, topic_name, last_updated, visibility_policy }
  state.user_topics = visibility_policy === 0 ? rest : [...rest, changed]
  countUnread(state)
}
