import { defineConfig } from 'vitest/config'
import { needsOf, testFiles } from './test/runner/needs.ts'
import all from './vitest.config.ts'

// The tests of the server and of its modules, which run it in their own process: two thirds of all, in a quarter of the time.

/** These take longest of them: they send every operation random, odd and very large requests, and each twice, or color code in every language. */
const longest = [
  'http/fuzz',
  'http/twice-concurrently',
  'http/declared-edges',
  'largest/largest',
  'test/hidden-names',
  'highlight/every-language',
].map((name) => `${name}.test.ts`)

const isOfServer = (path: string) => {
  const needs = needsOf(path)
  return !needs.has('browser') && !needs.has('program') && !longest.some((name) => path.endsWith(name))
}

export default defineConfig({ test: { ...all.test, include: testFiles().filter(isOfServer) } })
