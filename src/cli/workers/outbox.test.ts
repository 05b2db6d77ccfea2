import { expect, test } from 'vitest'
import { lostTopic } from '../../lib/siblings.ts'
import { tasks } from './assignment.ts'
import { mustGo } from './outbox.ts'

test('a worker receives answers and the end of workers, however much waits for it', () => {
  const packet = { from: 0, to: 1 } as const
  for (const topic of [lostTopic, tasks.stop]) expect(mustGo({ ...packet, kind: 'tell', topic })).toBe(true)
  for (const kind of ['answer', 'fault', 'gone'] as const)
    expect(mustGo({ ...packet, kind, topic: 'write' })).toBe(true)
  expect(mustGo({ ...packet, kind: 'ask', topic: tasks.respond })).toBe(true)
  expect(mustGo({ ...packet, kind: 'tell', topic: 'log' })).toBe(false)
  expect(mustGo({ ...packet, kind: 'ask', topic: 'write' })).toBe(false)
})
