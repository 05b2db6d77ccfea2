import { lower } from '../lib/text/lower.ts'
import { type Condition, type MessageFacts, resolvedMark } from './condition.ts'

/**
 * Returns the condition as a test in memory, which means the same as its SQL. Throws for a condition that only the database can evaluate; the
 * narrows of event queues have none.
 */
export function conditionToPredicate(condition: Condition): (message: MessageFacts) => boolean {
  switch (condition.kind) {
    case 'recipient': {
      const ids = new Set(condition.ids)
      return (message) => ids.has(message.recipientId)
    }
    case 'direct':
      return (message) => message.isDirect
    case 'topic': {
      const name = lower(condition.name)
      return (message) => lowerTopic(message) === name
    }
    case 'sender':
      return (message) => message.senderId === condition.id
    case 'message':
      return (message) => message.id === condition.id
    case 'resolved':
      return (message) => message.topic.startsWith(resolvedMark)
    case 'contains': {
      const fact = ({ link: 'hasLink', image: 'hasImage', attachment: 'hasAttachment' } as const)[
        condition.what
      ]
      return (message) => message[fact]
    }
    case 'flag':
      return (message) => message.flags.includes(condition.flag)
    case 'mentioned':
      return (message) => message.flags.some((flag) => flag.endsWith('mentioned'))
    case 'unread':
      return (message) => !message.flags.includes('read')
    case 'reacted':
    case 'topicPolicy':
    case 'words':
      throw new Error(`only the database knows of: ${condition.kind}`)
    case 'not': {
      const inner = conditionToPredicate(condition.of)
      return (message) => !inner(message)
    }
    case 'all': {
      const parts = condition.of.map(conditionToPredicate)
      return (message) => parts.every((part) => part(message))
    }
    case 'none':
      return () => false
  }
}

/** Cached, since many narrows read it for one message. */
function lowerTopic({ topic }: MessageFacts): string {
  if (topic !== lastTopic.topic) lastTopic = { topic, lowered: lower(topic) }
  return lastTopic.lowered
}

let lastTopic = { topic: '', lowered: '' }
