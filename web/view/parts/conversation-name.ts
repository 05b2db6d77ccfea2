import { t } from '../../lib/i18n.ts'
import { type Conversation, type Term, withoutMinus } from '../../lib/route.ts'
import { channelName, shownChannel, shownTopic } from '../../store/channels.ts'
import { me, nameOf } from '../../store/people.ts'

/** The others in a direct conversation, or the user's own name if there are none. */
export function directName(userIds: number[]): string {
  if (userIds.length === 0) return t('direct.yourself', { name: me()?.full_name ?? '' })
  return userIds.map(nameOf).join(', ')
}

export function conversationName(conversation: Conversation): string {
  if ('userIds' in conversation) return directName(conversation.userIds)
  const name = channelName(conversation.channelId)
  const channel = name === undefined ? t('channel.unknown') : `#${name}`
  return conversation.isUntitled ? channel : `${channel} › ${shownTopic(conversation.topic)}`
}

/** A condition of a search, as people read it. */
export function termName({ operator, operand }: Term): string {
  // A phrase has quotes of its own.
  if (operator === 'search') return String(operand).includes('"') ? String(operand) : `“${operand}”`
  const kind = withoutMinus(operator)
  const own = me()?.user_id
  const name = Array.isArray(operand)
    ? directName(operand.filter((id) => id !== own))
    : kind === 'channel' && typeof operand === 'number'
      ? shownChannel(operand)
      : typeof operand === 'number'
        ? nameOf(operand)
        : String(operand)
  return `${kind === operator ? '' : '−'}${kind}: ${name}`
}

/** Returns the title of a narrow. */
export function narrowName(terms: Term[]): string {
  if (terms.length === 0) return t('view.feed')
  const [first] = terms
  if (terms.length === 1 && first) {
    const { operator, operand } = first
    if (operator === 'is' && operand === 'mentioned') return t('view.mentions')
    if (operator === 'is' && operand === 'starred') return t('view.starred')
    if (operator === 'is' && (operand === 'dm' || operand === 'private')) return t('view.directs')
    if (operator === 'has' && operand === 'reaction') return t('view.reactions')
    if (operator === 'channel') return typeof operand === 'number' ? shownChannel(operand) : String(operand)
    if (operator === 'dm' && Array.isArray(operand))
      return directName(operand.filter((id) => id !== me()?.user_id))
  }
  return t('search.title', { terms: terms.map(termName).join(', ') })
}
