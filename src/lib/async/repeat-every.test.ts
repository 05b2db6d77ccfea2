import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repeatEvery } from './repeat-every.ts'

test('work is done again and again, and a failure is told and stops nothing', async () => {
  const errors: unknown[] = []
  let rounds = 0
  const regular = repeatEvery(
    0.005,
    async () => Promise.reject(new Error(`${++rounds}`)),
    (error) => {
      errors.push((error as Error).message)
    },
  )
  await expect.poll(() => errors.length).toBeGreaterThan(2)
  expect(errors.slice(0, 3)).toEqual(['1', '2', '3'])
  await regular.close()
  const done = rounds
  regular.now()
  await sleep(20)
  expect(rounds).toBe(done)
})

test('one round is under way at a time, and closing tells it to stop and waits for it', async () => {
  let [begun, ended] = [0, 0]
  const regular = repeatEvery(0.002, async (stopping) => {
    begun += 1
    while (!stopping.aborted) await sleep(5)
    await sleep(10)
    ended += 1
  })
  regular.now()
  expect(begun).toBe(1)
  await sleep(20)
  expect([begun, ended]).toEqual([1, 0])
  await regular.close()
  expect([begun, ended]).toEqual([1, 1])
})

test('a round that is asked for begins after the one under way, and is waited for', async () => {
  let [begun, ended] = [0, 0]
  const regular = repeatEvery(1_000, async () => {
    begun += 1
    await sleep(10)
    ended += 1
  })
  regular.now()
  await regular.round()
  expect([begun, ended]).toEqual([2, 2])
  await regular.close()
  await regular.round()
  expect(begun).toBe(2)
})
