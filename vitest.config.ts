import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/database.ts'],
    setupFiles: ['test/each-file.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // As the server has it, and more: the tests make much that is soon garbage.
    execArgv: ['--max-semi-space-size=64'],
    // A process loads the server once, not for each file anew; test/each-file.ts keeps files apart.
    isolate: false,
    // What the compiler makes of a file is kept until the file changes (`npx vitest --clearCache` removes all of it).
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // What a test waits for comes, but late on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
