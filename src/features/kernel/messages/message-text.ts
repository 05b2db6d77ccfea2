import { notBlankPattern, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstCharacters, isLonger } from '../../../lib/text/characters.ts'
import { firstUnprintable, printableText, unprintableNote } from '../../../lib/text/unprintable.ts'
import { emptyTopicDisplayName } from '../topics/shown-topic.ts'
import { messageLimits } from './limits.ts'

/** The Markdown of a message. */
export const contentParam = () =>
  text().documentedAs({
    pattern: notBlankPattern,
    description: `Markdown. The server cuts it to ${messageLimits.messageLength} characters.`,
  })

/** The Markdown of an edited message, which may be blank. */
export const editedContentParam = () =>
  text().documentedAs({
    description: `Markdown. The server cuts it to ${messageLimits.messageLength} characters. If blank, it becomes (deleted).`,
  })

/** The topic of a message. It may be empty. */
export const topicParam = () =>
  text().documentedAs({
    ...printableText,
    description: `The server cuts it to ${messageLimits.topicLength} characters. ${unprintableNote}`,
  })

/** Returns whether a text tells what its sender does. */
export function isMeText(content: string): boolean {
  return content.startsWith('/me ')
}

/** The text of a message whose author has removed it by an edit. */
export const removedText = '(deleted)'

const truncated = '\n[message truncated]'

/**
 * Returns the text of a message as it is stored: without trailing white space, truncated if too long. Throws if nothing
 * is left.
 */
export function messageText(sent: string): string {
  const content = sent.trimEnd().replace(/^\n+/, '')
  if (content === '') throw badRequest('Message must not be empty')
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes')
  return withinLength(content)
}

/** Returns a text truncated to the maximum length of a message, or to another length. */
export function withinLength(content: string, limit: number = messageLimits.messageLength): string {
  return cut(content, limit, truncated)
}

/**
 * Returns a topic as it is stored: trimmed, and truncated if too long. Clients that do not know the empty topic send
 * its display name.
 */
export function topicName(sent: string): string {
  const topic = sent.trim()
  const bad = firstUnprintable(topic)
  if (bad) throw badRequest(`Invalid character in topic, at position ${bad}!`)
  return topic === emptyTopicDisplayName ? '' : cutTopic(topic)
}

/**
 * Returns the topic of a message to send, as it is stored. Clients from before the empty topic send `(no topic)` for a message
 * without one (level 370).
 */
export function topicToSendTo(sent: string): string {
  return sent.trim() === '(no topic)' ? '' : topicName(sent)
}

/** Returns a topic, truncated if too long. */
export function cutTopic(topic: string): string {
  return cut(topic, messageLimits.topicLength, '...')
}

function cut(text: string, limit: number, ending: string) {
  return isLonger(text, limit) ? firstCharacters(text, limit - ending.length) + ending : text
}
