import { once } from 'node:events'
import { createServer } from 'node:net'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { newOrganization } from '../../test/organization.ts'
import { DatabaseLine } from '../../test/programs/database-line.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { startNode } from '../../test/test-server.ts'
import { Failures } from './failures.ts'

test('a failure is logged once, and while it goes on once a minute', () => {
  const lines: Record<string, unknown>[] = []
  let now = 0
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line)) },
  )
  const failures = new Failures(logger, { now: () => now })
  const [looking, pruning] = [failures.of('looking failed'), failures.of('pruning failed')]
  const gone = Object.assign(new Error('connect ENOENT /run/x'), { code: 'ENOENT', syscall: 'connect' })

  for (now = 0; now < 150; now++) {
    looking(new Error('disk full'))
    pruning(now % 2 === 0 ? gone : new Error('Connection terminated unexpectedly'))
  }
  looking(new Error('something else'))
  expect(lines).toMatchObject([
    { msg: 'looking failed', err: { message: 'disk full', stack: expect.any(String) } },
    { component: 'database', msg: expect.stringContaining('connect ENOENT /run/x'), times: 1 },
    { msg: 'looking failed: disk full', times: 60 },
    { component: 'database', msg: expect.stringContaining('connect ENOENT /run/x'), times: 60 },
    { msg: 'looking failed: disk full', times: 60 },
    { component: 'database', msg: expect.stringContaining('connect ENOENT /run/x'), times: 60 },
    { msg: 'looking failed', err: { message: 'something else' } },
  ])
  expect(lines.filter(({ err }) => err)).toHaveLength(2)
})

test('a node without its database says so once, without a trace', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  const lines: { level: number; msg: string; err?: unknown }[] = []
  const node = await startNode(line.url, { log: (text) => lines.push(JSON.parse(text)) })
  let tries = 0
  const nobody = createServer((socket) => {
    tries++
    socket.destroy()
  })
  try {
    await newOrganization(node, '')
    await line.close()
    await once(nobody.listen(Number(new URL(line.url).port), '127.0.0.1'), 'listening')
    const failures = () => lines.filter(({ level }) => level >= 50)
    await vi.waitFor(() => expect(failures()).not.toEqual([]), { timeout: 20_000 })
    const before = tries
    await vi.waitFor(() => expect(tries).toBeGreaterThan(before + 15), { timeout: 30_000 })
    expect(failures()).toMatchObject([
      { component: 'database', msg: expect.stringMatching(/^The database failed: /) },
    ])
    expect(failures()[0]!.err).toBeUndefined()
  } finally {
    nobody.close()
    await node.close()
    await database.drop()
  }
})
