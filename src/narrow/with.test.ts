import { describe, expect, test } from 'vitest'
import { NarrowError, parseNarrow, type Term } from './terms.ts'
import { messageAskedWith, resolveWith } from './with.ts'

describe('with', () => {
  const narrow = (...terms: [string, unknown][]) =>
    parseNarrow(terms.map(([operator, operand]) => ({ operator, operand })))
  const kinds = (terms: Term[]) => terms.map(({ operator, operand }) => [operator, operand])

  test('goes to where the message is now', () => {
    const terms = narrow(['channel', 'old'], ['topic', 'old'], ['with', 5], ['is', 'starred'])
    expect(messageAskedWith(terms)).toBe(5)
    expect(kinds(resolveWith(terms, { channelId: 7, topic: 'new' }))).toEqual([
      ['channel', 7],
      ['topic', 'new'],
      ['is', 'starred'],
    ])
    expect(kinds(resolveWith(terms, { userIds: [1, 2] }))).toEqual([
      ['dm', [1, 2]],
      ['is', 'starred'],
    ])
  })

  test('of a message that the reader may not see, does not count', () => {
    expect(kinds(resolveWith(narrow(['channel', 'old'], ['with', 5]), undefined))).toEqual([
      ['channel', 'old'],
    ])
    expect(() => resolveWith(narrow(['with', 5], ['is', 'starred']), undefined)).toThrow(
      "Invalid 'with' operator",
    )
    expect(() => messageAskedWith(narrow(['with', 5], ['with', 6]))).toThrow(NarrowError)
  })
})
