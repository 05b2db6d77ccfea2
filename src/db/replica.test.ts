import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { newDirectory, runHere } from '../../test/command-line.ts'
import { Line } from '../../test/faults/line.ts'
import { sender } from '../../test/messages.ts'
import { newOrganization, type Organization } from '../../test/organization.ts'
import type { Person } from '../../test/person.ts'
import { SmallPooler } from '../../test/programs/small-pooler.ts'
import { DatabaseWithStandby, databaseOn } from '../../test/programs/standby.ts'
import { type Node, startNode } from '../../test/test-server.ts'
import { createMetrics } from '../monitoring/metrics.ts'

let database: DatabaseWithStandby
let organizations = 0

beforeAll(async () => {
  database = await DatabaseWithStandby.start()
})
afterAll(() => database?.stop())
beforeEach(() => database.catchUp())

type Outcome = 'replica' | 'behind' | 'busy' | 'failed' | 'away'
type Server = {
  node: Node
  logged: string[]
  /** How often the standby of a database has read, and the database in its place. */
  reads(outcome: Outcome, database?: string): Promise<number>
  org: Organization
}

/** Starts a server that reads from the standby, reached at this URL. */
async function serverWith(databaseReplicaUrl = database.standbyUrl, more: object = {}): Promise<Server> {
  const logged: string[] = []
  const metrics = await createMetrics()
  const node = await startNode(database.url, {
    databaseReplicaUrl,
    ...more,
    monitoring: { metrics },
    log: (line) => logged.push(line),
  })
  onTestFinished(() => node.close())
  const reads = async (outcome: Outcome, of = 'main') => {
    const line = new RegExp(
      `^rookery_replica_reads_total\\{database="${of}",outcome="${outcome}"\\} (\\d+)$`,
      'm',
    )
    return Number(line.exec(await metrics.text())?.[1])
  }
  return { node, logged, reads, org: await newOrganization(node, `org${++organizations}`) }
}

/** The same, as soon as it uses the standby. */
async function readingServer(url?: string, more?: object): Promise<Server> {
  const server = await serverWith(url, more)
  const { all } = server.node.app.realms.databases
  await expect.poll(() => all.every(({ replica }) => replica?.isInUse), { interval: 10 }).toBe(true)
  await database.catchUp()
  return server
}

/** Searches as a person; returns the contents. */
async function search(person: Person, operand: string): Promise<string[]> {
  const narrow = [{ operator: 'search', operand }]
  const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false }
  const { status, body } = await person.get('/messages', { ...page, narrow })
  expect(status).toBe(200)
  return body.messages.map(({ content }: { content: string }) => content)
}

/** Searches all the time, until that is so, and expects to find this each time. */
async function searchWhile(person: Person, expected: string[], isSo: () => Promise<boolean>) {
  let isOver = false
  const searching = Array.from({ length: 4 }, async () => {
    while (!isOver) expect(await search(person, 'leaves')).toEqual(expected)
  })
  const waiting = expect.poll(isSo, { interval: 5 }).toBe(true)
  await Promise.all([
    ...searching,
    waiting.finally(() => {
      isOver = true
    }),
  ])
}

test('searches and history are read from the replica', async () => {
  const { org, reads } = await readingServer()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner] })
  const send = sender(owner, channel)
  const id = await send('tea', 'green leaves')
  await database.catchUp()
  expect(await search(owner, 'leaves')).toEqual(['green leaves'])
  const searched = await reads('replica')
  expect(searched).toBeGreaterThan(0)
  const history = await owner.get(`/messages/${id}/history`)
  expect(history.body.message_history).toMatchObject([{ content: 'green leaves' }])
  expect((await owner.get(`/users/me/${channel.id}/topics`)).body.topics).toEqual([
    { max_id: id, name: 'tea' },
  ])
  expect(await reads('replica')).toBe(searched + 2)
  expect(await reads('behind')).toBe(0)
})

test('while the replica is behind, nobody misses what they know of', async () => {
  const { org, reads } = await readingServer()
  const { owner } = org
  const reader = await org.person()
  const channel = await org.channel({ subscribers: [owner, reader] })
  const client = await reader.register({ event_types: ['message'] })
  await database.pause()
  const before = await reads('behind')
  await sender(owner, channel)('tea', 'late leaves')
  expect(await search(owner, 'leaves')).toEqual(['late leaves'])
  expect(await client.next()).toMatchObject([{ type: 'message' }])
  expect(await search(reader, 'leaves')).toEqual(['late leaves'])
  expect(await reads('replica')).toBe(0)
  expect(await reads('behind')).toBeGreaterThan(before)
  await database.resume()
  expect(await search(reader, 'leaves')).toEqual(['late leaves'])
  expect(await reads('replica')).toBeGreaterThan(0)
})

test('a replica that is behind shows nothing that a user may no longer read', async () => {
  const { org, reads } = await readingServer()
  const { owner } = org
  const reader = await org.person()
  const [open, closed] = [
    await org.channel({ subscribers: [owner, reader] }),
    await org.channel({ subscribers: [owner], isPrivate: true }),
  ]
  const id = await sender(owner, open)('tea', 'secret leaves')
  await database.catchUp()
  expect(await search(reader, 'leaves')).toEqual(['secret leaves'])
  const before = await reads('replica')
  await database.pause()
  const moved = await owner.patch(`/messages/${id}`, { stream_id: closed.id })
  expect(moved.body).toMatchObject({ result: 'success' })
  expect(await search(reader, 'leaves')).toEqual([])
  expect(await reads('replica')).toBe(before)
  await database.resume()
  expect(await search(reader, 'leaves')).toEqual([])
  expect(await reads('replica')).toBeGreaterThan(before)
})

test('another node reads nothing older from the replica than the first one has acknowledged', async () => {
  const { org } = await readingServer()
  const { node, reads } = await readingServer()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner] })
  const elsewhere = owner.at(node)
  const send = sender(owner, channel)
  for (let i = 0; i < 20; i++) {
    await send('tea', `leaf${i}`)
    const before = await reads('replica')
    const isThere = i % 2 === 1
    if (isThere) await database.catchUp()
    expect(await search(elsewhere, `leaf${i}`)).toEqual([`leaf${i}`])
    if (isThere) expect(await reads('replica')).toBeGreaterThan(before)
  }
})

test('each database has a replica of its own, and a move leads from one to the other', async () => {
  const databases = new Map([['second', databaseOn(database.url, 'second')]])
  const databaseReplicas = new Map([['second', databaseOn(database.standbyUrl, 'second')]])
  const { org, reads } = await readingServer(undefined, { databases, databaseReplicas })
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner] })
  const send = sender(owner, channel)
  await send('tea', 'travelling leaves')
  await database.catchUp()
  expect(await search(owner, 'leaves')).toEqual(['travelling leaves'])
  expect(await reads('replica', 'second')).toBe(0)
  await database.pause()
  const { subdomain } = org.state.row
  const environment = {
    DATABASE_URL: database.url,
    ROOKERY_DATABASES: `second=${databases.get('second')}`,
    ROOKERY_DATA: await newDirectory(),
    ROOKERY_URL: 'http://chat.test',
  }
  expect(await runHere(`realm move ${subdomain} --to second`, environment)).toMatchObject({ status: 0 })
  const before = await reads('replica')
  expect(await search(owner, 'leaves')).toEqual(['travelling leaves'])
  await database.resume()
  await send('tea', 'settled leaves')
  await database.catchUp()
  expect(await search(owner, 'leaves')).toEqual(['travelling leaves', 'settled leaves'])
  expect(await reads('replica', 'second')).toBeGreaterThan(0)
  expect(await reads('replica')).toBe(before)
})

test('no request fails when the replica is killed, and it is used again when it is back', async () => {
  const { org, reads, logged } = await readingServer()
  const { owner } = org
  await sender(owner, await org.channel({ subscribers: [owner] }))('tea', 'many leaves')
  await database.catchUp()
  await searchWhile(owner, ['many leaves'], async () => (await reads('replica')) > 20)
  const before = await reads('replica')
  await database.killStandby()
  await searchWhile(owner, ['many leaves'], async () => (await reads('away')) > 0)
  await searchWhile(owner, ['many leaves'], async () => (await reads('replica')) > before + 20)
  expect(logged.filter((line) => line.includes('The database replica failed'))).toHaveLength(1)
})

test('no request fails when the replica hangs', async () => {
  const line = await Line.to(database.standbyUrl)
  onTestFinished(() => line.cut())
  const { org, reads } = await readingServer(line.url)
  const { owner } = org
  await sender(owner, await org.channel({ subscribers: [owner] }))('tea', 'slow leaves')
  await database.catchUp()
  expect(await search(owner, 'leaves')).toEqual(['slow leaves'])
  expect(await reads('away')).toBe(0)
  line.freeze()
  expect(await search(owner, 'leaves')).toEqual(['slow leaves'])
  expect(await reads('away')).toBeGreaterThan(0)
})

test('many reads do not wait for a replica that hangs', async () => {
  const line = await Line.to(database.standbyUrl)
  onTestFinished(() => line.cut())
  const { org, reads } = await readingServer(line.url)
  const channel = await org.channel({ subscribers: [org.owner] })
  const id = await sender(org.owner, channel)('tea', 'many leaves')
  await database.catchUp()
  line.freeze()
  const asked = Array.from({ length: 40 }, () => org.owner.get(`/users/me/${channel.id}/topics`))
  for (const { body } of await Promise.all(asked)) expect(body.topics).toEqual([{ max_id: id, name: 'tea' }])
  expect(await reads('busy')).toBeGreaterThan(0)
  expect(await reads('replica')).toBe(0)
})

test('no request fails when the replica cancels reads for its recovery', async () => {
  const { org, reads, logged } = await readingServer()
  await sender(org.owner, await org.channel({ subscribers: [org.owner] }))('tea', 'torn leaves')
  const before = await reads('replica')
  expect(await database.cancel(() => search(org.owner, 'leaves'))).toEqual(['torn leaves'])
  expect(logged.join()).toContain('conflict with recovery')
  // Only that read has left it.
  expect([await reads('failed'), await reads('replica')]).toEqual([1, before])
  expect(await search(org.owner, 'leaves')).toEqual(['torn leaves'])
  expect(await reads('replica')).toBeGreaterThan(before)
  expect(await reads('away')).toBe(0)
})

test('no request fails while the replica lacks what a migration has just added', async () => {
  const { org, reads } = await readingServer()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner] })
  const id = await sender(owner, channel)('tea', 'new leaves')
  await database.pauseBeforeColumn('message', 'content')
  expect(await search(owner, 'leaves')).toEqual(['new leaves'])
  expect(await reads('failed')).toBe(1)
  const searched = await reads('replica')
  expect((await owner.get(`/users/me/${channel.id}/topics`)).body.topics).toEqual([
    { max_id: id, name: 'tea' },
  ])
  expect([await reads('replica'), await reads('away')]).toEqual([searched + 1, 0])
})

test('no request fails while the replica holds a lock that its recovery has not ended', async () => {
  const { org, reads, logged } = await readingServer()
  await sender(org.owner, await org.channel({ subscribers: [org.owner] }))('tea', 'locked leaves')
  await database.pauseInLock()
  expect(await search(org.owner, 'leaves')).toEqual(['locked leaves'])
  expect([await reads('replica'), await reads('behind')]).toEqual([0, 0])
  expect(logged.join()).toContain('lock timeout')
  await database.resume()
})

test('a server starts without its replica', async () => {
  const { org, reads, logged } = await serverWith('postgres://rookery@127.0.0.1:1/rookery')
  expect(await search(org.owner, 'leaves')).toEqual([])
  expect(await reads('away')).toBeGreaterThan(0)
  await expect.poll(() => logged.join()).toContain('The database replica failed: connect ECONNREFUSED')
})

test('a database that is not a standby is not used', async () => {
  const { org, reads, logged } = await serverWith(database.url)
  await expect.poll(() => logged.join()).toContain('it is not a standby')
  expect([await search(org.owner, 'leaves'), await reads('replica')]).toEqual([[], 0])
})

test('a pooler that gives each transaction another standby is not used', async () => {
  const pooler = await SmallPooler.before(database.standbyUrl)
  onTestFinished(() => pooler.close())
  const { org, reads, logged } = await serverWith(pooler.url)
  await expect.poll(() => logged.join()).toContain('a connection pooler before it')
  expect(await search(org.owner, 'leaves')).toEqual([])
  expect(await reads('replica')).toBe(0)
})

test('a replica that was made a database of its own is not used any more', async () => {
  const { org, reads, logged } = await readingServer()
  await search(org.owner, 'leaves')
  const before = await reads('replica')
  await database.promote()
  await search(org.owner, 'leaves')
  expect(await reads('replica')).toBe(before)
  expect(logged.join()).toContain('it is not a standby')
})
