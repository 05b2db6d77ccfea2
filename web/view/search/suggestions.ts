import { t } from '../../lib/i18n.ts'
import type { Term } from '../../lib/route.ts'
import { closedValues, operators, readDay, readTyped, withTerm, withWords } from '../../lib/search.ts'
import { dayName } from '../../lib/time.ts'
import { isForEveryone, isSpectator } from '../../store/spectator.ts'
import { termName } from '../parts/conversation-name.ts'
import { findChannels, findPeople, knownTopics } from './places.ts'

/** What the field offers: a finished term, the beginning of one, or a day at which the messages are opened. */
export type SearchSuggestion = { label: string; note: string } & (
  | { terms: Term[] }
  | { text: string }
  | { day: string }
)

const shownAtMost = 8

/** What readers without an account have nothing to search by. */
const ofUsers: string[] = ['dm', 'is']

/** What may be meant by what is typed, with the terms so far. */
export function suggestionsFor(terms: Term[], text: string): SearchSuggestion[] {
  const day = readDay(text)
  if (day) {
    const asWords = {
      label: t('search.for', { words: text.trim() }),
      note: '',
      terms: withWords(terms, text),
    }
    return [{ label: dayLabel(day), note: '', day }, asWords]
  }
  const typed = readTyped(text)
  if (typed.operator !== undefined) {
    const { operator, value, isNegated } = typed
    return operandsFor(operator, value.toLowerCase(), terms)
      .map((operand) => ({ operator, operand, ...(isNegated && { negated: true }) }))
      .filter((term) => !isSpectator() || isForEveryone([term]))
      .map((term) => ({ label: termName(term), note: '', terms: withTerm(terms, term) }))
  }
  const words = typed.value
  const begun = [...operators, 'date' as const]
    .filter((name) => name.startsWith(words.toLowerCase()))
    .filter((name) => !isSpectator() || !ofUsers.includes(name))
    .map((name) => ({ label: `${name}:`, note: t(`search.by_${name}`), text: `${name}:` }))
  if (!words) return begun
  const wordTerms = withWords(terms, words)
  return [
    { label: t('search.for', { words }), note: '', terms: wordTerms },
    ...begun,
    ...findChannels(words, 2).map(({ channelId }) => finished(terms, 'channel', channelId)),
    ...findPeople(words, 2).map(({ userId }) => finished(terms, 'sender', userId)),
  ].slice(0, shownAtMost)
}

/** A day in the user's language. */
export function dayLabel(day: string): string {
  return t('date.go', { day: dayName(new Date(`${day}T12:00`).getTime() / 1000) })
}

function finished(terms: Term[], operator: string, operand: Term['operand']): SearchSuggestion {
  const term = { operator, operand }
  return { label: termName(term), note: '', terms: withTerm(terms, term) }
}

function operandsFor(operator: string, value: string, terms: Term[]): Term['operand'][] {
  if (operator === 'channel') return findChannels(value, shownAtMost).map(({ channelId }) => channelId)
  if (operator === 'sender') return findPeople(value, shownAtMost).map(({ userId }) => userId)
  if (operator === 'dm')
    return findPeople(value, shownAtMost).map(({ userId }) => [userId]) satisfies Term['operand'][]
  if (operator === 'topic') {
    const channelId = terms.find((one) => one.operator === 'channel')?.operand
    const known = knownTopics()
      .filter((one) => channelId === undefined || one.channelId === channelId)
      .filter((one) => one.name.toLowerCase().includes(value))
      .map(({ topic }) => topic)
    return [...new Set([...known.slice(0, shownAtMost - 1), ...(value ? [value] : [])])]
  }
  return (closedValues[operator] ?? []).filter((one) => one.startsWith(value))
}

/** The terms of what is typed, when Enter is pressed without a suggestion. */
export function termsWith(terms: Term[], text: string): Term[] {
  const { value } = readTyped(text)
  return value ? withWords(terms, value) : terms
}
