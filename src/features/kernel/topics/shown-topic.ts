import { lower } from '../../../lib/text/lower.ts'

/** The name that clients without support for the empty topic see in its place (level 334). */
export const emptyTopicDisplayName = 'general chat'

/**
 * Returns a topic as a client knows it: the empty topic has its display name unless the client supports the empty topic
 * (level 334).
 */
export function shownTopic(topic: string, knowsEmptyTopic: boolean): string {
  return topic || (knowsEmptyTopic ? '' : emptyTopicDisplayName)
}

/** Returns whether two topics that a client saw are the same, ignoring case. */
export function isSameShownTopic(a: string, b: string): boolean {
  return shownTopicKey(a) === shownTopicKey(b)
}

/**
 * Returns what all spellings of a topic that a client saw have in common. The display name stands for the empty topic only in its
 * exact spelling: no other topic may have that name (see topicName), but one may be called General Chat.
 */
export function shownTopicKey(topic: string): string {
  return topic === emptyTopicDisplayName ? '' : lower(topic)
}
