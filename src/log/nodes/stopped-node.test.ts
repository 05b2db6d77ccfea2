import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { saysNotNow } from '../../../test/load.ts'
import { onDatabase } from '../../../test/on-database.ts'
import { newOrganization } from '../../../test/organization.ts'
import { DatabaseLine } from '../../../test/programs/database-line.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { startNode } from '../../../test/test-server.ts'
import { logLimits } from '../limits.ts'

test('a node that stops while it writes does not make the writes of others fail', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  const [stopped, other] = [await startNode(line.url), await startNode(database.url)]
  try {
    const { owner } = await newOrganization(stopped, '')
    const beside = owner.at(other)
    await beside.post('/messages', { type: 'direct', to: [owner.id], content: 'the first' })

    line.stopAfter('for no key update')
    const change = owner.patch('/settings', { full_name: 'Never' })
    await vi.waitUntil(() => line.hasLostAll, { timeout: 20_000 })
    const [sent, renamed] = await Promise.all([
      beside.post('/messages', { type: 'direct', to: [owner.id], content: 'not held up for long' }),
      beside.patch('/settings', { full_name: 'New name' }),
    ])
    expect(sent.body).toMatchObject({ result: 'success' })
    expect(renamed.body).toMatchObject({ result: 'success' })
    expect(await change).toSatisfy(saysNotNow)
    expect((await beside.get('/users/me')).body).toMatchObject({ full_name: 'New name' })
  } finally {
    await stopped.close()
    await other.close()
    await line.close()
    await database.drop()
  }
})

test('a node that has missed very much writes at the end of the log, and its clients get all of it', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  line.stopAfter('LISTEN')
  const [deaf, other] = [await startNode(line.url), await startNode(database.url)]
  try {
    const { owner } = await newOrganization(deaf, '')
    const client = await owner.register()
    const beside = owner.at(other)
    const count = logLimits.entriesPerRead + 100
    for (let sent = 0; sent < count; sent += 50) {
      const send = (_: unknown, i: number) =>
        beside.post('/messages', { type: 'direct', to: [owner.id], content: `number ${sent + i}` })
      const answers = await Promise.all(Array.from({ length: 50 }, send))
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    }
    const renamed = await owner.patch('/settings', { full_name: 'New name' })
    expect(renamed.body).toMatchObject({ result: 'success' })
    const events = await client.events()
    expect(events.filter(({ type }) => type === 'message')).toHaveLength(count)
    expect(events.at(-1)).toMatchObject({ type: 'realm_user', person: { full_name: 'New name' } })
  } finally {
    await deaf.close()
    await other.close()
    await line.close()
    await database.drop()
  }
})

/** Holds an organization's lock, and writes as another node does. */
class Writer {
  private readonly client: pg.Client
  private readonly realmId: number

  constructor(url: string, realmId: number) {
    this.client = new pg.Client({ connectionString: url })
    this.realmId = realmId
  }

  async lock() {
    await this.client.connect()
    await this.client.query('BEGIN')
    await this.client.query('SELECT FROM realm_head WHERE realm_id = $1 FOR UPDATE', [this.realmId])
  }

  async write(count: number) {
    await this.client.query(
      `WITH head AS (UPDATE realm_head SET last_event_id = last_event_id + $2, stamp = $2 WHERE realm_id = $1 RETURNING last_event_id)
      INSERT INTO event_log (realm_id, id, type, created_at, stamp)
      SELECT $1, last_event_id - $2 + n, 'rows', 0, $2 FROM head, generate_series(1, $2) AS n`,
      [this.realmId, count],
    )
    await this.client.query('COMMIT')
    await this.client.end()
  }
}

/** Waits until this many connections wait for locks. */
async function queueOf(url: string, count: number) {
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await expect.poll(async () => (await onDatabase(url, waiting)).length).toBe(count)
}

test('a change is written although others write very much each time before its turn comes', async () => {
  const { url, drop } = await newDatabase()
  const line = await DatabaseLine.to(url)
  const node = await startNode(line.url)
  try {
    const { owner, id } = await newOrganization(node, '')
    const [first, second] = [new Writer(url, id), new Writer(url, id)]
    await first.lock()
    const secondTry = line.holdBack('for no key update', 'for no key update')
    const renamed = owner.patch('/settings', { full_name: 'New name' })
    await queueOf(url, 1)
    await first.write(logLimits.entriesPerRead + 1)
    await expect.poll(() => secondTry.release).toBeDefined()
    await second.lock()
    secondTry.release?.()
    await queueOf(url, 1)
    await second.write(logLimits.entriesPerRead + 1)
    expect((await renamed).body).toMatchObject({ result: 'success' })
  } finally {
    await node.close()
    await line.close()
    await drop()
  }
})

test('a change is written although its node loses the lock while it reads what others have written', async () => {
  const { url, drop } = await newDatabase()
  const line = await DatabaseLine.to(url)
  const [slow, other] = [await startNode(line.url), await startNode(url)]
  try {
    const { owner, id } = await newOrganization(slow, '')
    const writer = new Writer(url, id)
    await writer.lock()
    const hold = line.holdBack('head:', 'for no key update')
    const renamed = owner.patch('/settings', { full_name: 'New name' })
    await queueOf(url, 1)
    await writer.write(1)
    await expect.poll(() => hold.release).toBeDefined()
    const sent = await owner.at(other).post('/messages', { type: 'direct', to: [owner.id], content: 'x' })
    expect(sent.body).toMatchObject({ result: 'success' })
    hold.release?.()
    expect((await renamed).body).toMatchObject({ result: 'success' })
  } finally {
    await slow.close()
    await other.close()
    await line.close()
    await drop()
  }
})
