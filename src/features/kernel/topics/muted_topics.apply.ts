import type { ClientState } from '../../../queues/client-state.ts'

export function applyMutedTopics(state: ClientState, event: { muted_topics: unknown[] }) {
  if (state.muted_topics) state.muted_topics = event.muted_topics
}
