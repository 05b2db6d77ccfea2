import pino from 'pino'
import { expect, test } from 'vitest'
import { watchLine } from './watch-line.ts'

test('that nodes cannot wake each other is logged once a minute, counted each time, and so is its end', () => {
  const lines: Record<string, unknown>[] = []
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  )
  let now = 1000
  const counted: string[] = []
  const watcher = watchLine(logger, 'nats://127.0.0.1:1', {
    failed: (component) => counted.push(component),
    now: () => now,
  })
  for (; now < 1090; now++) watcher.lost(new Error('connect ECONNREFUSED'))
  watcher.back()
  watcher.lost(new Error('connect ECONNREFUSED'))
  watcher.back()
  const msg = 'nodes cannot wake each other, and hear of changes late: connect ECONNREFUSED'
  expect(lines).toEqual([
    { level: 40, component: 'NATS', times: 1, msg },
    { level: 40, component: 'NATS', times: 60, msg },
    { level: 30, component: 'NATS', msg: 'nodes wake each other again' },
  ])
  expect(counted).toHaveLength(91)
})
