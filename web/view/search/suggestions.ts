import { t } from '../../lib/i18n.ts'
import { partBefore } from '../../lib/part-before.ts'
import { type Term, withoutMinus } from '../../lib/route.ts'
import { closedValues, operators, readDay, readTyped, withTerm, withWords } from '../../lib/search.ts'
import { dayName } from '../../lib/time.ts'
import { isForEveryone, isSpectator } from '../../store/spectator.ts'
import { termName } from '../parts/conversation-name.ts'
import { findChannels, findPeople, knownTopics } from './places.ts'

/** A suggestion of the field: a finished term, the beginning of one, or a day at which the messages are opened. */
export type SearchSuggestion = { label: string; note: string } & (
  | { terms: Term[] }
  | { text: string }
  | { day: string }
)

const shownAtMost = 8
/** Characters in which a term with a name ends: a pasted text may have very many words. */
const longestTerm = 200

/** Operators by which readers without an account have nothing to search. */
const ofUsers: string[] = ['dm', 'is']

/** Returns the suggestions for the typed text, after the terms so far. */
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
    const { operator, value } = typed
    return operandsFor(withoutMinus(operator), value.toLowerCase(), terms)
      .map((operand) => ({ operator, operand }))
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

function operandsFor(kind: string, value: string, terms: Term[]): Term['operand'][] {
  if (kind === 'channel') return findChannels(value, shownAtMost).map(({ channelId }) => channelId)
  if (kind === 'sender') return findPeople(value, shownAtMost).map(({ userId }) => userId)
  if (kind === 'dm')
    return findPeople(value, shownAtMost).map(({ userId }) => [userId]) satisfies Term['operand'][]
  if (kind === 'topic') {
    const known = knownTopics()
      .filter(({ channelId }) => mayBeIn(terms, channelId))
      .filter((one) => one.name.toLowerCase().includes(value))
      .map(({ topic }) => topic)
    return [...new Set([...known.slice(0, shownAtMost - 1), ...(value ? [value] : [])])]
  }
  return (closedValues[kind] ?? []).filter((one) => one.startsWith(value))
}

/** Whether the terms of a search leave messages of a channel. */
function mayBeIn(terms: Term[], channelId: number) {
  return terms.every(
    ({ operator, operand }) =>
      withoutMinus(operator) !== 'channel' || (operand === channelId) === (operator === 'channel'),
  )
}

/**
 * Takes what is finished in a text: words behind which a term begins, and terms behind which another one begins, or words that no name
 * goes on with, as in `sender:bo round icons`. A term that fits nothing stays in the text.
 */
export function finish(terms: Term[], text: string): { finished: Term[]; rest: string } {
  const found = partBefore(text)
  const part = found?.part ?? text
  if (readTyped(part).operator === undefined)
    return found ? finish(withWords(terms, part), found.rest) : { finished: terms, rest: text }
  const gaps = [...part.slice(0, longestTerm).matchAll(/\s+/g)].map(({ index }) => index)
  for (const end of [part.length, ...gaps.reverse()]) {
    const fitting = fitIn(terms, part.slice(0, end))
    if (fitting && end === text.length) break
    if (fitting) return finish(fitting, text.slice(end).trimStart())
  }
  return { finished: terms, rest: text }
}

/** The terms with the first that fits an operator and its value; undefined if none does. */
function fitIn(terms: Term[], text: string): Term[] | undefined {
  const [first] = readTyped(text).value ? suggestionsFor(terms, text) : []
  return first && 'terms' in first ? first.terms : undefined
}

/** The terms of what is typed, when Enter is pressed without a suggestion: a term that fits nothing is words like others. */
export function termsWith(terms: Term[], text: string): Term[] {
  return readTyped(text).value ? withWords(terms, text) : terms
}
