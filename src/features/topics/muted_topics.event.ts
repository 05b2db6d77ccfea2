import type { ClientState, EventType } from '../../queues/event-type.ts'
import type { MutedTopic } from './visibility.ts'

type MutedTopicsEvent = { type: 'muted_topics'; muted_topics: MutedTopic[] }

export function mutedTopicsChanged(muted_topics: MutedTopic[]): MutedTopicsEvent {
  return { type: 'muted_topics', muted_topics }
}

/** What `user_topic` events tell since level 134, for clients that did not ask for those by name. */
export const mutedTopicsEvent = {
  type: 'muted_topics',

  variant(_event, { queue }) {
    return queue.options.eventTypes?.includes('user_topic') ? null : ''
  },

  apply(state: ClientState, event: MutedTopicsEvent) {
    if (state.muted_topics) state.muted_topics = event.muted_topics
  },
} satisfies EventType<MutedTopicsEvent>
