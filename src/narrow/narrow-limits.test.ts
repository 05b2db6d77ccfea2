import { expect, test } from 'vitest'
import type { NarrowLookup } from './operators.ts'
import { conditionToPredicate } from './predicate.ts'
import { resolveNarrow, resolveQueueNarrow } from './resolve.ts'
import { parseNarrow, parseQueueNarrow } from './terms.ts'

const long = 'x'.repeat(1_001)
const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`)
const phrases = (count: number) => words(count).map((word) => `"${word}"`)

test.each<[operator: string, operand: unknown, text: string]>([
  ['search', long, 'search operand is too long (limit: 1000 characters)'],
  ['topic', long, 'topic operand is too long (limit: 1000 characters)'],
  ['stream', long, 'channel operand is too long (limit: 1000 characters)'],
  ['sender', long, 'sender operand is too long (limit: 1000 characters)'],
  ['dm-including', long, 'dm-including operand is too long (limit: 1000 characters)'],
  ['near', long, 'near operand is too long (limit: 1000 characters)'],
  ['bogus', long, 'bogus operand is too long (limit: 1000 characters)'],
  ['dm', long.repeat(10), 'dm operand is too long (limit: 10000 characters)'],
  ['pm-with', Array(1_001).fill(2), 'dm operand is too long (limit: 1000 ids)'],
  ['search', words(101).join(' '), 'search has too many words (limit: 100)'],
  ['search', `"${words(101).join(' ')}"`, 'search has too many words (limit: 100)'],
  ['search', words(101).join('/'), 'search has too many words (limit: 100)'],
  ['search', phrases(21).join(' '), 'search has too many phrases (limit: 20)'],
])('a term that is too long or too much is refused by name: %s %.20j', (operator, operand, text) => {
  expect(() => parseNarrow([{ operator, operand }])).toThrow(text)
})

test.each<[operator: string, operand: unknown]>([
  ['search', '🎉'.repeat(1_000)],
  ['search', words(100).join(' ')],
  ['search', phrases(20).join(' ')],
  ['dm', Array(1_000).fill(2)],
  ['dm', words(300).join('@example.com, ')],
])('what people may want is not: %s %.20j', (operator, operand) => {
  expect(parseNarrow([{ operator, operand }])).toHaveLength(1)
})

test('the words of all searches count together', () => {
  const inTwo = (all: string[]) =>
    [0, 1].map((half) => ['search', all.filter((_, i) => i % 2 === half).join(' ')])
  expect(() => parseNarrow(inTwo(words(101)))).toThrow('search has too many words')
  expect(() => parseNarrow(inTwo(phrases(21)))).toThrow('search has too many phrases')
  expect(parseNarrow(inTwo(words(100)))).toHaveLength(2)
})

test('the narrow of an event queue has short operands', () => {
  expect(() => parseQueueNarrow([['topic', long]])).toThrow(
    'topic operand is too long (limit: 1000 characters)',
  )
})

test('saying the same again asks for no more', () => {
  const often = parseNarrow(Array(100).fill(['is', 'mentioned']))
  expect(resolveNarrow(often, lookup)).toEqual({ kind: 'mentioned', userId: 1 })
})

test('what would take lists of all that a reader has takes none in memory', () => {
  const terms = parseQueueNarrow([
    ['is', 'unread'],
    ['is', 'dm'],
    ['topic', ''],
  ])
  const passes = terms.map((term) => conditionToPredicate(resolveQueueNarrow([term], lookup)))
  const message = { id: 1, recipientId: 2, senderId: 3, topic: '', flags: [] }
  const contents = { hasLink: false, hasImage: false, hasAttachment: false }
  const within = (isDirect: boolean) => passes.map((pass) => pass({ ...message, ...contents, isDirect }))
  expect(within(true)).toEqual([true, true, false])
  expect(within(false)).toEqual([true, false, true])
})

/** A user with more data than can be listed. */
const lookup: NarrowLookup = {
  realmId: 1,
  me: 1,
  emptyTopicName: 'general chat',
  channel: () => undefined,
  user: () => undefined,
  conversation: () => undefined,
  conversationsIncluding: tooMany,
  directRecipients: tooMany,
  publicRecipients: tooMany,
  mutedRecipients: tooMany,
  webPublicRecipients: tooMany,
  currentConversations: tooMany,
}

function tooMany(): never {
  throw new Error('nobody should have asked')
}
