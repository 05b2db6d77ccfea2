import { defineConfig } from 'vitest/config'
import all from './vitest.config.ts'

/** Makes faults beneath servers, one after the other: minutes, so apart from the other tests. */
export default defineConfig({
  test: { ...all.test, include: ['test/faults/*.fault.ts'], maxWorkers: 1 },
})
