import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Mutex } from './mutex.ts'

test('tasks run one after the other, in the order of their arrival', async () => {
  const mutex = new Mutex()
  const steps: string[] = []
  const task = (name: string, ms: number) =>
    mutex.run(async () => {
      steps.push(`${name} begins`)
      await sleep(ms)
      steps.push(`${name} ends`)
      return name
    })
  expect(await Promise.all([task('slow', 10), task('quick', 0)])).toEqual(['slow', 'quick'])
  expect(steps).toEqual(['slow begins', 'slow ends', 'quick begins', 'quick ends'])
})

test('a task that fails stops no other', async () => {
  const mutex = new Mutex()
  const failing = mutex.run(async () => {
    throw new Error('failed')
  })
  const next = mutex.run(async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})
