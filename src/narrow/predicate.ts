import type { Condition, MessageFacts } from './condition.ts'

/** The condition as a test in memory. It means the same as the SQL that the condition becomes. */
export function conditionToPredicate(condition: Condition): (message: MessageFacts) => boolean {
  switch (condition.kind) {
    case 'recipient': {
      const ids = new Set(condition.ids)
      return (message) => ids.has(message.recipientId)
    }
    case 'topic': {
      const name = lower(condition.name)
      return (message) => lower(message.topic) === name
    }
    case 'sender':
      return (message) => message.senderId === condition.id
    case 'message':
      return (message) => message.id === condition.id
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

/**
 * As PostgreSQL's lower() where the database has UTF-8 letters (C.UTF-8, not C): every character becomes a single one
 * for itself. JavaScript alone would look at the neighbours (Σ at the end of a word) and make two of İ.
 */
function lower(text: string): string {
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase()
  return Array.from(text, (character) => String.fromCodePoint(character.toLowerCase().codePointAt(0)!)).join(
    '',
  )
}
