import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

// The tests that start neither a server nor another process: those of the pure modules, and the house rules.

const helpers =
  'test-server|organization|random-organization|person|database|operations|server-process|command-line'
const startsMore = new RegExp(`/(${helpers})\\.ts'|\\bspawn\\(|\\bexecFile\\b|startEmbedded`)

const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.test.ts'))

export default defineConfig({
  test: {
    ...all.test,
    include: files.filter(
      (path) => path === join('test', 'tidy.test.ts') || !startsMore.test(readFileSync(path, 'utf8')),
    ),
  },
})
