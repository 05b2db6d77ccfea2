import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/database.ts'],
    setupFiles: ['test/each-file.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A process loads the server once, not for each file anew; test/each-file.ts keeps files apart.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
