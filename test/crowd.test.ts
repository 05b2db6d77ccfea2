import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ChannelRow } from '../src/db/schema.ts'
import type { Client } from './client.ts'
import type { Answer } from './http.ts'
import type { Organization } from './organization.ts'
import { Person } from './person.ts'
import { pickFrom, randomFrom, seedOfRun } from './random/random.ts'
import { tries } from './runner/effort.ts'
import { testServer } from './test-server.ts'

const { organization, anotherNode } = testServer()

/** How long the crowd runs. */
const seconds = Number(process.env.CROWD_SECONDS ?? 4 + tries(4))
const writers = 4
const seed = seedOfRun('crowd')
const readers = 20

const topics = ['lunch', 'tea', 'work', '', 'far and wide']
const texts = [
  'hello',
  '**tea**?',
  '@**topic** now',
  '@**all** up',
  'who has milk',
  '@**Reader 3** look',
  '/me waves',
]

/** All clients see the same messages, though some drop out and return. */
test(
  `a crowd of ${readers} readers agrees with the server`,
  async () => {
    const crowd = await gather()
    const until = Date.now() + seconds * 1000
    const reading = crowd.readers.map((person) => new Reader(person))
    const written = Promise.all(crowd.writers.map((person) => write(crowd, person, until)))
    const read = Promise.all(reading.map((reader) => reader.readUntil(until)))
    const counts = await written
    await sayGoodbye(crowd)
    await read
    await crowd.nodesAgree()
    for (const reader of reading) await reader.client.expectStateToMatch()
    const [done, crashes] = [sum(counts), sum(reading.map((reader) => reader.crashes))]
    process.stdout.write(`crowd: ${done} changes, ${crashes} readers came back\n`)
    expect(done).toBeGreaterThan(writers * seconds)
    expect(crashes).toBeGreaterThan(0)
  },
  (seconds + 120) * 1000,
)

type Crowd = {
  org: Organization
  writers: Person[]
  readers: Person[]
  channels: ChannelRow[]
  /** Waits until every node has read everything. */
  nodesAgree(): Promise<void>
}

/** Half of the readers use another node than the writers. */
async function gather(): Promise<Crowd> {
  const org = await organization()
  const other = await anotherNode()
  const named = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => org.person({ name: `${name} ${i}` })))
  const [some, many] = [await named('Writer', writers), await named('Reader', readers)]
  const subscribers = [...some, ...many]
  const channels = [
    await org.channel({ subscribers }),
    await org.channel({ subscribers: subscribers.filter((_, i) => i % 2 === 0), isPrivate: true }),
    await org.channel({ subscribers: some }),
  ]
  for (const person of many.slice(0, 5)) await person.post('/users/me/alert_words', { alert_words: ['milk'] })
  await many[0]!.post(`/users/me/muted_users/${some[0]!.id}`)
  const elsewhere = (person: Person) => new Person({ ...person.place, port: other.port }, person)
  return {
    org,
    writers: some,
    readers: many.map((person, i) => (i % 2 === 0 ? person : elsewhere(person))),
    channels,
    async nodesAgree() {
      const { state } = await other.app.realms.byId(org.id)
      await expect.poll(() => state.position).toBe(org.state.position)
    },
  }
}

/**
 * Runs one operation after the other until the time is over, and on a busy machine until there are enough; returns how
 * many.
 */
async function write(crowd: Crowd, me: Person, until: number): Promise<number> {
  const own: number[] = []
  const random = randomOf(me)
  let done = 0
  for (; Date.now() < until || done <= seconds; done++) {
    const answer = await anything(crowd, me, own, random)
    // Two writers may do the same, or one may undo what the other wants to change.
    if (answer.status !== 200 && answer.status !== 400) throw new Error(`${answer.status}: ${answer.text}`)
    await sleep(random() * 20)
  }
  return done
}

async function anything(crowd: Crowd, me: Person, own: number[], random: () => number): Promise<Answer> {
  const pick = <T>(items: readonly T[]) => pickFrom(random, items)
  const channel = pick(crowd.channels)
  const message = `/messages/${pick(own) ?? 0}`
  const kind = random()
  if (own.length < 3 || kind < 0.5) {
    const place =
      kind < 0.1 ? { type: 'direct', to: [pick(crowd.readers).id] } : { type: 'channel', to: channel.id }
    const answer = await me.post('/messages', { ...place, topic: pick(topics), content: pick(texts) })
    // The first message of a channel stays: without it, the channel begins elsewhere, and no event says so.
    if (answer.status === 200 && place.type === 'channel' && own.push(answer.body.id) > 50) own.shift()
    return answer
  }
  if (kind < 0.6) return me.patch(message, { content: pick(texts) })
  if (kind < 0.7)
    return me.patch(message, { topic: pick(topics), propagate_mode: pick(['change_one', 'change_later']) })
  if (kind < 0.85) return me.post(`${message}/reactions`, { emoji_name: pick(['tada', 'heart', 'eyes']) })
  if (kind < 0.9) return crowd.org.owner.delete(`/messages/${own.length > 10 ? own.splice(-5, 1)[0] : 0}`)
  const policy = { stream_id: channel.id, topic: pick(topics), visibility_policy: pick([0, 1, 2, 3]) }
  if (kind < 0.95) return pick(crowd.readers).post('/user_topics', policy)
  return me.post('/typing', { type: 'stream', op: 'start', stream_id: channel.id, topic: pick(topics) })
}

/**
 * Sends a newer message to each conversation. Its newest message may have been deleted, and no event tells a client of
 * that.
 */
async function sayGoodbye({ writers: [first], readers, channels }: Crowd) {
  for (const { id } of channels)
    await first!.post('/messages', { type: 'channel', to: id, topic: 'end', content: 'bye' })
  for (const { id } of readers) await first!.post('/messages', { type: 'direct', to: [id], content: 'bye' })
}

/** A client that follows events, and now and then loses everything and registers anew. */
class Reader {
  client!: Client
  crashes = 0
  private readonly me: Person
  private readonly random: () => number

  constructor(me: Person) {
    this.me = me
    this.random = randomOf(me)
  }

  async readUntil(until: number) {
    this.client = await this.me.register()
    while (Date.now() < until) {
      const kind = this.random()
      if (kind < 0.1) await this.crash()
      else if (kind < 0.4) await sleep(this.random() * 500)
      else if (kind < 0.7) await this.client.next()
      else await this.readSome()
    }
  }

  private async crash() {
    this.crashes += 1
    await sleep(this.random() * 300)
    this.client = await this.me.register()
  }

  private async readSome() {
    const events = await this.client.events()
    const ids = events.flatMap(({ type, message }) => (type === 'message' ? [message.id] : []))
    if (ids.length > 0) await this.me.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
  }
}

/** Each writer has its own random numbers, so that its operations do not depend on the order of the others. */
function randomOf({ id }: Person) {
  return randomFrom(seed + id)
}

function sum(numbers: number[]) {
  return numbers.reduce((total, one) => total + one, 0)
}
