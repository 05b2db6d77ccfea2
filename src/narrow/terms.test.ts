import { expect, test } from 'vitest'
import { parseNarrow } from './terms.ts'

test('terms are plain data with canonical names', () => {
  const narrow = [['stream', 'a'], ['is', 'private'], { operator: 'pm_with', operand: [2], negated: true }]
  const terms = [
    { operator: 'channel', operand: 'a', negated: false },
    { operator: 'is', operand: 'dm', negated: false },
    { operator: 'dm', operand: [2], negated: true },
  ]
  expect(parseNarrow(narrow)).toEqual(terms)
  expect(parseNarrow(JSON.parse(JSON.stringify(terms)))).toEqual(terms)
})
