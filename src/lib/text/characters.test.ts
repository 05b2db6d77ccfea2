import { expect, test } from 'vitest'
import { firstCharacters, isLonger } from './characters.ts'

test.each([
  ['', 0, ''],
  ['abc', 0, ''],
  ['abc', 2, 'ab'],
  ['abc', 3, 'abc'],
  ['a🦉b🦉', 2, 'a🦉'],
  ['🦉🦉🦉', 3, '🦉🦉🦉'],
  ['🦉'.repeat(1_000), 1, '🦉'],
])('of %j, the first %i characters are %j', (text, characters, first) => {
  expect(firstCharacters(text, characters)).toBe(first)
  expect(isLonger(text, characters)).toBe(first !== text)
})
