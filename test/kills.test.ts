import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/postgres/embedded.ts'
import { signal, waitUntil } from '../src/postgres/processes.ts'
import type { Wire } from './client.ts'
import { EventStream } from './event-stream.ts'
import { closeConnections } from './http.ts'
import { insist, Worker } from './load.ts'
import { Caller, Person } from './person.ts'
import { postgresChildren, postmasterOf, ServerProcess } from './processes/server-process.ts'
import { pickFrom, randomFrom, seedOfRun } from './random/random.ts'
import { tries } from './runner/effort.ts'

/** How often a process is killed: KILLS=100 for a long run. */
const kills = Number(process.env.KILLS ?? tries(3))
const writers = 4
const random = randomFrom(seedOfRun('kills'))
const password = 'correct horse battery'

let postgres: EmbeddedPostgres
let directory: string
const nodes: ServerProcess[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rookery-kills-'))
  postgres = await startEmbeddedPostgres({ dataDir: directory, log: () => {} })
  const settings = { DATABASE_URL: postgres.url, ROOKERY_SECRET: 'the secret of both nodes of this test' }
  for (let i = 0; i < 2; i++) nodes.push(await ServerProcess.create(settings))
}, 180_000)

afterAll(async () => {
  closeConnections()
  for (const node of nodes) await node.remove()
  await postgres?.stop()
  await rm(directory, { recursive: true, force: true })
})

/** A different one of the two nodes each time, whatever its state. */
function anywhere(person: Person): Person {
  return person.at(pick(nodes).place)
}

test(`nothing is lost, doubled, missed or refused while nodes and database are killed ${kills} times`, {
  timeout: 180_000 + kills * 30_000,
}, async () => {
  const owner = await nodes[0]!.owner()
  const people = await Promise.all(Array.from({ length: writers }, (_, i) => newPerson(owner, `writer ${i}`)))
  const visitor = await newPerson(owner, 'the visitor')
  const listeners = await Promise.all(
    [Polling, Polling, Streaming, Streaming].map(async (Kind, i) => {
      const { body } = await insist(() => anywhere(people[i]!).get('/events', queueOfMessages))
      return new Kind(people[i]!, body.queue_id)
    }),
  )
  const sent = new Map<string, number>()
  const say = async (person: Person, content: string) => {
    const message = { type: 'direct', to: people.map(({ id }) => id), content }
    const options = { headers: { 'idempotency-key': content } }
    const { body } = await insist(() => anywhere(person).post('/messages', message, options))
    sent.set(content, body.id)
  }
  const acting = [
    ...people.map((person, i) => new Worker((number) => say(person, `${number} of ${i}`))),
    new Worker((number) => useNewThings(owner, visitor, number)),
  ]
  const listening = listeners.map((listener) => new Worker(() => listener.listen()))
  const all = [...acting, ...listening]

  const counts: Record<string, number> = {}
  for (let i = 0; i < kills; i++) {
    await progress(all)
    const name = faultNames[i % faultNames.length]!
    await faults[name]()
    counts[name] = (counts[name] ?? 0) + 1
  }
  await progress(all)
  await Promise.all(acting.map((worker) => worker.stop()))
  await say(people[0]!, 'the end')
  const isHeard = () => listeners.every((listener) => listener.heard.length >= sent.size)
  await waitUntil(() => isHeard() || listening.some(({ failure }) => failure), 60_000)
  const stopped = Promise.all(listening.map((worker) => worker.stop()))
  await wake(people[0]!, people)
  await stopped
  for (const { failure } of all) expect(failure).toBe(undefined)

  const history = await everyMessage(people[0]!)
  expect(history.map(({ content }) => content).sort()).toEqual([...sent.keys()].sort())
  for (const { id, content } of history) expect(sent.get(content)).toBe(id)
  for (const { heard } of listeners) expect(heard).toEqual(history.map(({ id }) => id))
  const told = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const reconnected = listeners.map(({ connections }) => connections)
  process.stdout.write(
    `kills: ${told.join(', ')}; ${sent.size} messages; listeners connected ${reconnected.join(', ')} times\n`,
  )
})

const queueOfMessages = { dont_block: true, event_types: ['message'] }

/** Each ends a process without warning, and lets it start again. */
const faults = {
  async 'of the first node'() {
    await nodes[0]!.kill()
    await nodes[0]!.start()
  },
  async 'of the database'() {
    signal(postmasterOf(directory), 'SIGKILL')
  },
  async 'of the second node'() {
    await nodes[1]!.kill()
    await nodes[1]!.start()
  },
  async 'of a connection'() {
    const backends = postgresChildren(directory).filter(({ title }) => title.includes(' rookery rookery '))
    if (backends.length > 0) signal(pick(backends).pid, 'SIGKILL')
  },
  async 'of everything'() {
    signal(postmasterOf(directory), 'SIGKILL')
    await Promise.all(nodes.map((node) => node.kill()))
    await waitUntil(databaseAnswers, 60_000)
    await Promise.all(nodes.map((node) => node.start()))
  },
}

async function databaseAnswers() {
  const client = new pg.Client({ connectionString: postgres.url })
  client.on('error', () => {})
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

const faultNames = Object.keys(faults) as (keyof typeof faults)[]

/** A new account, with a key of its own. */
async function newPerson(owner: Person, name: string): Promise<Person> {
  const email = `${name.replace(' ', '.')}@example.com`
  const { body } = await insist(() => anywhere(owner).post('/users', { email, full_name: name, password }))
  return new Person(owner.place, { id: body.user_id, name, email, key: await newKey(email) })
}

async function newKey(username: string): Promise<string> {
  const ask = () => new Caller(pick(nodes).place).post('/fetch_api_key', { username, password })
  return (await insist(ask)).body.api_key
}

/**
 * Uses at one node what another has acknowledged: a channel, and a key. The keys belong to a user who does nothing
 * else: the number of a user's keys is limited, and new ones replace the oldest.
 */
async function useNewThings(owner: Person, visitor: Person, number: number) {
  const name = `channel ${number}`
  const subscriptions = [{ name }]
  await insist(() => anywhere(owner).post('/users/me/subscriptions', { subscriptions }))
  const message = { type: 'channel', to: name, topic: 't', content: 'hello' }
  await insist(() => anywhere(owner).post('/messages', message))
  if (number % 5 !== 1) return
  const client = new Person(owner.place, { ...visitor, key: await newKey(visitor.email) })
  await insist(() => anywhere(client).get('/users/me'))
}

/** Sends a message that ends the waiting polls, and is not counted. */
async function wake(person: Person, people: Person[]) {
  const message = { type: 'direct', to: people.map(({ id }) => id), content: 'wake up' }
  await insist(() => anywhere(person).post('/messages', message))
}

/** A client that receives messages, at one node after the other. */
abstract class Listener {
  readonly heard: number[] = []
  connections = 0
  protected lastEventId = -1
  protected readonly person: Person
  protected readonly queueId: string

  constructor(person: Person, queueId: string) {
    this.person = person
    this.queueId = queueId
  }

  abstract listen(): Promise<void>

  protected take(events: Wire[]) {
    for (const event of events) {
      if (event.id < this.lastEventId) throw new Error(`event ${event.id} after ${this.lastEventId}`)
      this.lastEventId = event.id
      const isOurs = event.type === 'message' && event.message.type === 'private'
      if (isOurs && / of \d|the end/.test(event.message.content)) this.heard.push(event.message.id)
    }
  }
}

/** Half of the polls wait for an event, half take those that exist. */
class Polling extends Listener {
  async listen() {
    this.connections += 1
    const dontBlock = random() < 0.5
    const params = { queue_id: this.queueId, last_event_id: this.lastEventId, dont_block: dontBlock }
    const { body } = await insist(() => anywhere(this.person).get('/events', params))
    this.take(body.events)
    if (body.events.length === 0) await sleep(20)
  }
}

class Streaming extends Listener {
  async listen() {
    this.connections += 1
    const cutAfter = Math.floor(random() * 20_000)
    const stream = new EventStream(anywhere(this.person), this.queueId, {
      lastEventId: this.lastEventId,
      byHeader: this.connections % 2 === 0,
      cutAfter,
    })
    await Promise.race([stream.ended, sleep(random() * 1_500)])
    await stream.close()
    if (![0, 200, 503].includes(stream.status)) throw new Error(`${stream.status}: ${stream.text}`)
    if (stream.status === 200) this.take(stream.events)
    else await sleep(25)
  }
}

/** Waits until each has completed an operation from now on. */
async function progress(workers: Worker[]) {
  const wanted = workers.map(({ done }) => done + 2)
  const isMade = () => workers.every(({ done }, i) => done >= wanted[i]!)
  await waitUntil(() => isMade() || workers.some(({ failure }) => failure), 60_000)
  for (const { failure } of workers) if (failure) throw failure
  if (!isMade()) throw new Error(`Nothing goes on:\n${nodes.map(({ output }) => output).join('\n')}`)
}

async function everyMessage(person: Person) {
  const found: { id: number; content: string }[] = []
  for (;;) {
    const { body } = await insist(() =>
      anywhere(person).get('/messages', {
        anchor: found.at(-1)?.id ?? 'oldest',
        include_anchor: found.length === 0,
        num_after: 5_000,
        narrow: [{ operator: 'is', operand: 'dm' }],
        apply_markdown: false,
      }),
    )
    found.push(...body.messages)
    if (body.found_newest) return found.filter(({ content }) => / of \d|the end/.test(content))
  }
}

function pick<T>(items: readonly T[]): T {
  return pickFrom(random, items)
}
