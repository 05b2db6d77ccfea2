import { resolvedMark as mark } from '../../../narrow/condition.ts'
import { topicName } from '../../kernel/messages/message-text.ts'
import { emptyTopicDisplayName } from '../../kernel/topics/shown-topic.ts'

/** Returns whether a new topic name only adds or removes the mark of resolved topics. */
export function resolution(from: string, to: string): 'resolved' | 'unresolved' | undefined {
  if (!from.startsWith(mark) && to === topicName(mark + from)) return 'resolved'
  if (from.startsWith(mark) && to === from.replace(new RegExp(`^(${mark})+`), '')) return 'unresolved'
  return undefined
}

/**
 * Returns whether a topic would be the empty topic marked as resolved. The empty topic has no name to put the mark
 * before.
 */
export function isResolvedEmptyTopic(topic: string) {
  return topic === mark.trim() || topic === mark + emptyTopicDisplayName
}
