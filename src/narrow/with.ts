import { badCombination, badNarrow } from './error.ts'
import type { Operand } from './operands.ts'
import type { Term } from './terms.ts'

/** A message's conversation: a topic of a channel, or the direct conversation of these users. */
export type Conversation = { channelId: number; topic: string } | { userIds: number[] }

/** Returns the id of the message whose conversation a narrow selects by `with`, if it does. Throws NarrowError if there are two such terms. */
export function messageAskedWith(terms: Term[]): number | undefined {
  const [first, ...others] = terms.filter((term) => term.operator === 'with')
  if (others.length > 0) throw badCombination("Duplicate 'with' operators.")
  return first && Number(first.operand)
}

/**
 * Returns the narrow with its term `with` replaced by terms for the present conversation of the message, so that links stay valid when
 * conversations move. Other terms that name a conversation count only if the reader may not see the message. Throws NarrowError if there are
 * none then.
 */
export function resolveWith(terms: Term[], conversation: Conversation | undefined): Term[] {
  const others = terms.filter((term) => term.operator !== 'with')
  if (conversation) return [...termsOf(conversation), ...others.filter((term) => !namesConversation(term))]
  if (!others.some(namesConversation)) throw badNarrow("Invalid 'with' operator")
  return others
}

function termsOf(conversation: Conversation): Term[] {
  const term = (operator: string, operand: Operand) => ({ operator, operand, negated: false })
  if ('userIds' in conversation) return [term('dm', conversation.userIds)]
  return [term('channel', conversation.channelId), term('topic', conversation.topic)]
}

function namesConversation(term: Term) {
  return ['channel', 'topic', 'dm'].includes(term.operator)
}
