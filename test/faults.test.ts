import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '../src/db/database.ts'
import { Databases } from '../src/db/databases.ts'
import { userUpdated } from '../src/features/people/kernel/users/realm_user.event.ts'
import { signal, waitUntil } from '../src/postgres/processes.ts'
import { anotherLog } from './another-log.ts'
import { closeConnections } from './http.ts'
import { insist, Reader, saysNotNow, sendOnce, Worker } from './load.ts'
import { heapInUse } from './memory.ts'
import { newOrganization, Organization } from './organization.ts'
import type { Person } from './person.ts'
import { ServerProcess } from './processes/server-process.ts'
import { DatabaseLine } from './programs/database-line.ts'
import { pickFrom, randomFrom, seedOfRun } from './random/random.ts'
import { newDatabase } from './runner/database.ts'
import { tries } from './runner/effort.ts'
import { startNode, testServer } from './test-server.ts'

const calm = testServer()
const random = randomFrom(seedOfRun('faults'))

let server: ServerProcess
let cast: Cast

beforeAll(async () => {
  server = await ServerProcess.withPostgres()
  cast = await assemble(server)
})

afterAll(async () => {
  closeConnections()
  await server?.remove()
})

const kinds: Fault[] = ['postgres', 'serverInCommit', 'backend', 'both', 'postmaster', 'server']
const rounds = [...kinds, ...kinds.slice(0, tries(4))]

test('nothing is lost or doubled when server and database are killed under load', {
  timeout: 240_000,
}, async () => {
  const { owner, members } = cast
  const listeners = await Promise.all([owner, ...members.slice(0, 2)].map((person) => Reader.create(person)))
  const readers = [...listeners, await Reader.create(owner)]
  const listening = listeners.map((reader) => new Worker(() => reader.listen()))
  const sent = new Map<string, number>()
  const names: string[] = []
  const queues = await Promise.all(members.map((member) => Reader.create(member)))
  const writers = range(12).map((i) => writer(i, queues[i % members.length]!.queueId, sent))
  const acting = [...writers, renamer(names)]

  for (const fault of rounds) {
    await progress([...acting, ...listening])
    await faults[fault]()
  }
  await progress([...acting, ...listening])
  await Promise.all(acting.map((worker) => worker.stop()))
  const heardOut = Promise.all(listening.map((worker) => worker.stop()))
  await say('the end', { headers: { 'idempotency-key': 'end' } }, sent)
  await heardOut
  // One of them has not polled until now.
  for (const reader of readers) await reader.catchUp()
  for (const { failure } of [...acting, ...listening]) expect(failure).toBe(undefined)

  const history = await everyMessage(owner)
  expect(sorted(history.map(({ content }) => content))).toEqual(sorted(sent.keys()))
  for (const { id, content } of history) expect(sent.get(content)).toBe(id)
  for (const reader of readers) {
    const numbers = reader.heard.map((event) => event.id)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(messagesOf(reader)).toEqual(history.map(({ id }) => id))
    expect(namesOf(reader)).toEqual(names)
  }
})

test('a commit whose answer got lost is announced once and not repeated', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  const node = await startNode(line.url)
  try {
    const { owner } = await newOrganization(node, '')
    const message = { type: 'direct', to: [owner.id], content: 'is it there?' }
    // The first message of a conversation is no part of a group.
    await owner.post('/messages', { ...message, content: 'the first' })
    const reader = await Reader.create(owner)
    const listening = reader.listen()

    line.loseAnswerTo('group:send')
    const send = () => owner.post('/messages', message, { headers: { 'idempotency-key': 'a' } })
    expect(await send()).toSatisfy(saysNotNow)
    const { body } = await send()
    expect(body).toMatchObject({ result: 'success' })
    await listening

    line.loseAnswerTo('commit', { after: 'New name' })
    const rename = () => owner.patch(`/users/${owner.id}`, { full_name: 'New name' })
    expect(await rename()).toSatisfy(saysNotNow)
    expect((await rename()).body).toMatchObject({ result: 'success' })
    await reader.catchUp()

    expect(line.hasLostAll).toBe(true)
    expect(reader.heard).toMatchObject([
      { type: 'message', message: { id: body.id, content: 'is it there?' } },
      { type: 'realm_user', person: { full_name: 'New name' } },
    ])
  } finally {
    await node.close()
    await line.close()
    await database.drop()
  }
})

test('while the database stands still, requests are refused in time; then all goes on', async () => {
  const { owner, members, channelId } = cast
  const reader = await Reader.create(owner)
  const message = { type: 'channel', to: channelId, topic: 'stop', content: 'anyone there?' }
  const keyed = (i: number) => ({ headers: { 'idempotency-key': `stop ${i}` } })
  const requests = [
    ...range(3).map((i) => () => owner.post('/messages', message, keyed(i))),
    ...range(3).map((i) => () => owner.patch(`/users/${members[0]!.id}`, { full_name: `Other name ${i}` })),
    ...range(12).map(() => () => owner.get('/messages', { anchor: 'newest', num_before: 10 })),
  ]

  server.signalPostgres('SIGSTOP')
  const since = performance.now()
  try {
    for (const answer of await Promise.all(requests.map((ask) => ask()))) expect(answer).toSatisfy(saysNotNow)
    expect(performance.now() - since).toBeLessThan(20_000)
  } finally {
    server.signalPostgres('SIGCONT')
  }

  const ids = await Promise.all(range(3).map((i) => sendOnce(owner, message, keyed(i))))
  await reader.catchUp()
  expect(messagesOf(reader)).toEqual(ids.sort((a, b) => a - b))
})

test('unread queues take no memory for events', async () => {
  const { owner, log } = await calm.organization()
  const happen = async () => {
    for (let number = 0; number < 20_000; number += 1_000) {
      const event = userUpdated(owner.id, { full_name: `Name ${number} ${'x'.repeat(50)}` })
      await log.commit(async (change) => {
        for (const _ of range(1_000)) change.emit({ ...event }, { everyone: true })
      })
    }
  }
  // Memory that a node keeps for all queues does not count.
  await happen()
  const before = heapInUse()
  for (let i = 0; i < 1_000; i += 50) await Promise.all(range(50).map(() => Reader.create(owner)))
  await happen()
  expect(heapInUse() - before).toBeLessThan(10 * 1024 * 1024)
})

type Fault = keyof typeof faults

/** Each ends a process without warning, and restarts the server if it has ended. The rest recovers by itself. */
const faults = {
  async server() {
    await server.kill()
    await server.start()
  },
  /** While the database has a commit in progress, which it then completes without a client. */
  async serverInCommit() {
    server.signalPostgres('SIGSTOP')
    await sleep(50)
    await server.kill()
    server.signalPostgres('SIGCONT')
    await server.start()
  },
  async postgres() {
    server.signalPostgres('SIGKILL')
  },
  async postmaster() {
    signal(server.postmaster, 'SIGKILL')
  },
  async backend() {
    const backends = server.postgresChildren.filter(({ title }) => title.includes(' rookery rookery '))
    signal(pickFrom(random, backends).pid, 'SIGKILL')
  },
  async both() {
    server.signalPostgres('SIGKILL')
    await server.kill()
    await server.start()
  },
}

/** Sends one message after the other, from the sender's queue. Records which were acknowledged, and under which id. */
function writer(i: number, queueId: string, sent: Map<string, number>) {
  return new Worker((number) => {
    const content = `message ${number} of ${i}`
    // The two ways to mark a message as a repeat.
    if (i % 2) return say(content, { headers: { 'idempotency-key': content } }, sent, i)
    return say(content, { params: { queue_id: queueId, local_id: `${i}.${number}` } }, sent, i)
  })
}

type Key = { params?: Record<string, string>; headers?: Record<string, string> }

async function say(content: string, { params, headers = {} }: Key, sent: Map<string, number>, i = 0) {
  const { members, channelId } = cast
  const message = { type: 'channel', to: channelId, topic: `topic ${i}`, content, ...params }
  sent.set(content, await sendOnce(members[i % members.length]!, message, { headers }))
}

/** Gives a user one name after the other. */
function renamer(names: string[]) {
  const { owner, members } = cast
  return new Worker(async (number) => {
    const full_name = `Name ${number}`
    await insist(() => owner.patch(`/users/${members[0]!.id}`, { full_name }))
    names.push(full_name)
  })
}

/** Waits until each has completed an operation from now on. */
async function progress(workers: Worker[]) {
  const wanted = workers.map(({ done }) => done + 20)
  const isMade = () => workers.every(({ done }, i) => done >= wanted[i]!)
  const isHopeless = () => !server.isRunning || workers.some(({ failure }) => failure)
  await waitUntil(() => isMade() || isHopeless(), 30_000)
  for (const { failure } of workers) if (failure) throw failure
  if (isMade() && server.isRunning) return
  throw new Error(`The server ${server.isRunning ? 'stands still' : 'has ended'}:\n${server.output}`)
}

async function everyMessage(person: Person) {
  const found: { id: number; content: string }[] = []
  for (;;) {
    const { body } = await person.get('/messages', {
      anchor: found.at(-1)?.id ?? 'oldest',
      include_anchor: found.length === 0,
      num_after: 5_000,
      narrow: [{ operator: 'channel', operand: cast.channelId }],
      apply_markdown: false,
    })
    found.push(...body.messages)
    if (body.found_newest) return found
  }
}

function messagesOf({ heard }: Reader): number[] {
  return heard.filter((event) => event.type === 'message').map((event) => event.message.id)
}

function namesOf({ heard }: Reader): string[] {
  return heard.filter((event) => event.type === 'realm_user').map((event) => event.person.full_name)
}

type Cast = { owner: Person; members: Person[]; channelId: number }

/** People and a channel with all of them, created by another node on the server's database. */
async function assemble(server: ServerProcess): Promise<Cast> {
  const databases = new Databases(connect(server.databaseUrl, 2))
  try {
    const log = await anotherLog(databases, 1, { clock: () => Math.floor(Date.now() / 1000) })
    const organization = new Organization(log, await server.owner())
    const { owner } = organization
    const members = await Promise.all(range(6).map(() => organization.person()))
    const { id: channelId } = await organization.channel({ subscribers: [owner, ...members] })
    const last = await organization.person()
    // The server learns of it in a moment. (expect.poll works in tests alone.)
    await vi.waitFor(async () => expect((await last.get('/users/me')).status).toBe(200), { timeout: 20_000 })
    return { owner, members, channelId }
  } finally {
    await databases.close()
  }
}

function sorted(texts: Iterable<string>) {
  return [...texts].sort()
}

function range(length: number) {
  return Array.from({ length }, (_, i) => i)
}
