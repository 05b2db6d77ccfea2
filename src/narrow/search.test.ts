import { expect, test } from 'vitest'
import { searchParts } from './search.ts'

test.each<[string, string, string[]]>([
  ['some words', 'some words', []],
  ['"one phrase"', '', ['one phrase']],
  ['before "a b" after " c "', 'before after', ['a b', 'c']],
  ['"never closed', 'never closed', []],
  ['"" \0', '', []],
])('searching for %j', (search, words, phrases) => {
  expect(searchParts(search)).toEqual({ words, phrases })
})
