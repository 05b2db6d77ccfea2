import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/runner/longest-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/runner/database.ts'],
    setupFiles: ['test/runner/each-file.ts'],
    pool: 'forks',
    // More than a small machine has cores: a test file waits about half of its time for a page, a process or a clock.
    maxWorkers: 5,
    // A deprecated use of a library or of Node fails a test. The young generation is larger than the server's: the tests make much
    // that is soon garbage. The workers share few cores, and threads that help to collect it would take a tenth
    // more of them.
    execArgv: ['--throw-deprecation', '--max-semi-space-size=64', '--single-threaded-gc'],
    // A process loads the server once, not for each file anew; test/runner/each-file.ts keeps files apart.
    isolate: false,
    // The compiled form of a file is kept until the file changes (`npx vitest --clearCache` removes all of them).
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    // On a busy machine, an expected change may come late.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
