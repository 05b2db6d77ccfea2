import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** Uses real programs in place of the tests' small ones: scripts/test-components.mjs says which it finds, and runs them one by one. */
export default defineConfig({
  test: { ...all.test, include: ['test/components/*.component.ts'], maxWorkers: 1, testTimeout: 180_000 },
})
