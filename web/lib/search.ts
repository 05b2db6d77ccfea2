import { type Term, withoutMinus } from './route.ts'

// The text of a search: terms such as `channel:design has:image`, and words, in one line. Each finished term becomes a
// pill. These functions are pure.

/** The operators that have a closed list of values. */
export const closedValues: Record<string, readonly string[]> = {
  has: ['image', 'link', 'attachment', 'reaction'],
  is: ['unread', 'starred', 'mentioned', 'followed', 'resolved', 'dm', 'alerted'],
}

/** The operators of a search, in the order in which they are offered. */
export const operators = ['channel', 'topic', 'sender', 'dm', 'has', 'is'] as const

const aliases: Record<string, string> = {
  from: 'sender',
  in: 'channel',
  stream: 'channel',
  subject: 'topic',
  'pm-with': 'dm',
}

/** The unfinished part of a search: an operator with the beginning of its value, or words. */
type Typed = { operator: string | undefined; value: string }

/** Reads what stands in the field. `-has:link` excludes. */
export function readTyped(text: string): Typed {
  const [, minus, name, value] = /^(-?)([\w-]+):(.*)$/s.exec(text.trimStart()) ?? []
  const kind = name && (aliases[name.toLowerCase()] ?? name.toLowerCase())
  if (!kind || !(operators as readonly string[]).includes(kind))
    return { operator: undefined, value: text.trim() }
  // Names are written as they are mentioned, too; "#1" may be a topic.
  const sign = kind === 'topic' ? '' : /^\s*[@#]/
  return { operator: minus + kind, value: (value ?? '').replace(sign, '').trim() }
}

/** Adds a term in place of the one that it contradicts; a message may lack several things, and have several of some kinds. */
export function withTerm(terms: Term[], term: Term): Term[] {
  const kind = withoutMinus(term.operator)
  const isRepeatable = /^(-|has|is)/.test(term.operator)
  const others = terms.filter(({ operator, operand }) => {
    const isSame = withoutMinus(operator) === kind && String(operand) === String(term.operand)
    return !isSame && (isRepeatable || operator !== term.operator)
  })
  return [...others, term]
}

/** The words of a search are one term, and the last one. */
export function withWords(terms: Term[], words: string): Term[] {
  const others = terms.filter(({ operator }) => operator !== 'search')
  const before = terms.find(({ operator }) => operator === 'search')?.operand
  const all = [before, words.trim()].filter(Boolean).join(' ')
  return all ? [...others, { operator: 'search', operand: all }] : others
}

/** Reads a day, such as `2026-11-22` or `date:2026-11-22`; undefined if it is none. */
export function readDay(text: string): string | undefined {
  const [, year, month, day] =
    /^(?:date:)?\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text.trim().toLowerCase()) ?? []
  if (!year || !month || !day) return undefined
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined
}
