import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test.each([
  [undefined, 1],
  ['4', 4],
  ['auto', Math.min(availableParallelism(), 64)],
])('with ROOKERY_WORKERS=%s there are %i', (text, workers) => {
  expect(readConfig({ ROOKERY_WORKERS: text }).workers).toBe(workers)
})
