import pg from 'pg'
import { expect, test } from 'vitest'
import { metricOf, metricsToken } from '../../../test/command-line.ts'
import type { Person } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'
import { createMetrics } from '../../monitoring/metrics.ts'

const monitoring = { metrics: await createMetrics(), token: metricsToken }
// With so few connections, a node carries out one search at a time.
const here = testServer({ monitoring, databaseConnections: 3 })
const { organization } = here

async function search(person: Person) {
  const narrow = [{ operator: 'search', operand: 'milk' }]
  const { status } = await person.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
  expect(status).toBe(200)
}

test('the searches of two users take turns, though one of them has asked for many before', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const answered: string[] = []
  const ask = (name: string, person: Person, times: number) =>
    Array.from({ length: times }, () => search(person).then(() => answered.push(name)))
  const waiting = () => metricOf(ann, 'rookery_heavy_requests_waiting')
  const locking = new pg.Client({ connectionString: here.databaseUrl })
  await locking.connect()
  const anns: Promise<unknown>[] = []
  const bobs: Promise<unknown>[] = []
  try {
    // Lets no page of messages be read.
    await locking.query('BEGIN; LOCK TABLE reaction')
    anns.push(...ask('Ann', ann, 10))
    await expect.poll(waiting).toBe(9)
    bobs.push(...ask('Bob', bob, 3))
    await expect.poll(waiting).toBe(12)
  } finally {
    await locking.end()
  }
  await Promise.all([...anns, ...bobs])
  expect(answered).toEqual(['Ann', 'Bob', 'Ann', 'Bob', 'Ann', 'Bob', ...Array(7).fill('Ann')])
})
