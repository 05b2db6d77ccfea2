import type { EventType } from '../../../queues/event-type.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import { applyMutedTopics } from './muted_topics.apply.ts'
import { shownTopic } from './shown-topic.ts'
import type { MutedTopic } from './visibility.ts'

type MutedTopicsEvent = { type: 'muted_topics'; muted_topics: MutedTopic[] }

export function mutedTopicsChanged(muted_topics: MutedTopic[]): MutedTopicsEvent {
  return { type: 'muted_topics', muted_topics }
}

declare module '../../../log/entry.ts' {
  interface Events {
    muted_topics: MutedTopicsEvent
  }
}

/** Reports the content of `user_topic` events to clients that did not request those by name (since level 134). */
export const mutedTopicsEvent = {
  type: 'muted_topics',

  variant(_event, { queue }) {
    const { eventTypes, capabilities } = queue.options
    return eventTypes?.includes('user_topic') ? null : `${+capabilities.empty_topic_name}`
  },

  wire(event, { queue }) {
    return { ...event, muted_topics: shownMutedTopics(event.muted_topics, queue.options.capabilities) }
  },

  apply: applyMutedTopics,
} satisfies EventType<MutedTopicsEvent>

/** Returns the muted topics for a client that may not know the empty topic. */
export function shownMutedTopics(muted: MutedTopic[], { empty_topic_name }: Capabilities): MutedTopic[] {
  return muted.map(([channel, topic, mutedAt]) => [channel, shownTopic(topic, empty_topic_name), mutedAt])
}
