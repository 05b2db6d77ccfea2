import { emptyTopicDisplayName } from '../settings/settings.ts'

/** A topic of a channel as a client knows it: the empty one by its display name, unless the client knows it (level 334). */
export function shownTopic(topic: string, knowsEmptyTopic: boolean): string {
  return topic || (knowsEmptyTopic ? '' : emptyTopicDisplayName)
}

/**
 * Whether a client has been shown one topic twice, whatever the case of its letters. The display name is the empty topic
 * only as it stands: no other is called so (see topicName), but one may be called General Chat.
 */
export function isSameShownTopic(a: string, b: string): boolean {
  if (a === emptyTopicDisplayName || b === emptyTopicDisplayName) return a === b
  return a.toLowerCase() === b.toLowerCase()
}
