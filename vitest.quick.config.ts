import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { needsOf, testFiles } from './test/runner/needs.ts'
import all from './vitest.config.ts'

// The tests that start neither a server nor another process: those of the pure modules, and the house rules.

/** The house rules look at the database, which is there anyway. */
const rules = join('test', 'tidy.test.ts')
/** These take long: they try all languages, the texts that take longest, and very many permissions. */
const slow = ['highlight/every-language', 'markdown/hostile', 'groups/permissions'].map(
  (name) => `/${name}.test.ts`,
)

const isQuick = (path: string) => needsOf(path).size === 0 && !slow.some((name) => path.endsWith(name))

export default defineConfig({
  test: {
    ...all.test,
    // These wait for nothing.
    maxWorkers: availableParallelism(),
    include: testFiles().filter((path) => path === rules || isQuick(path)),
  },
})
