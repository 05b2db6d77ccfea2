import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

// The tests that start neither a server nor another process, in this file or in what they use of test/: those of the pure
// modules, and the house rules.

/** The house rules look at the database, which is there anyway. */
const rules = join('test', 'tidy.test.ts')
/** These take long: they try all languages, the texts that take longest, and very many permissions. */
const slow = ['highlight/every-language', 'markdown/hostile', 'groups/permissions'].map(
  (name) => `/${name}.test.ts`,
)

const startsSomething = /(?<![.\w])(spawn|fork|startEmbedded\w*)\(|promisify\(exec|CREATE DATABASE/
const used = /from '((?:\.\.?\/)+(?:[\w-]+\/)*[\w-]+\.ts)'/g
const known = new Map<string, boolean>()

function isQuick(path: string): boolean {
  const before = known.get(path)
  if (before !== undefined) return before
  known.set(path, true)
  const text = readFileSync(path, 'utf8')
  const helpers = [...text.matchAll(used)]
    .map(([, other]) => join(path, '..', other!))
    .filter((other) => other.startsWith('test/'))
  const found = !startsSomething.test(text) && helpers.every(isQuick)
  known.set(path, found)
  return found
}

const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.test.ts') && !slow.some((name) => path.endsWith(name)))

export default defineConfig({
  test: {
    ...all.test,
    // These wait for nothing.
    maxWorkers: availableParallelism(),
    include: files.filter((path) => path === rules || isQuick(path)),
  },
})
