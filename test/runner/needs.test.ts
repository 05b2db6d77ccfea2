import { expect, test } from 'vitest'
import { needsOf, testFiles } from './needs.ts'

test('the needs of every test file are known', () => {
  const needs = new Map(testFiles().map((path) => [path, [...needsOf(path)].sort()]))
  expect(needs.get('test/words.test.ts')).toEqual([])
  expect(needs.get('src/http/http.test.ts')).toEqual(['server'])
  expect(needs.get('test/web/search/search.test.ts')).toContain('browser')
})
