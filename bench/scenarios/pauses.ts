import { setTimeout as sleep } from 'node:timers/promises'
import { firstIn } from '../../src/lib/must.ts'
import { freePort } from '../../src/lib/network/free-port.ts'
import { Bench, type Result, type RunOptions, seeded } from '../bench.ts'
import type { Finding } from '../budgets.ts'
import { eventsPath } from '../crowd.ts'
import type { DatabaseServer } from '../database.ts'
import { as, inTurn, registration, sendTo, zipped } from '../operations.ts'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { type Size, seed } from '../seed.ts'
import { parkQueues } from '../waiting.ts'

const sizeOf = (users: number): Size => ({
  users,
  channels: users / 10,
  subscriptionsPerUser: 10,
  smallChannel: 10,
  messages: 20_000,
  unread: 500,
  newcomers: 10,
  channelsOfReader: 10,
})

const users = 100_000
const waiting = 5_000
/** How many messages are sent together. */
const together = 50
/** How many users one request names. */
const named = 20_000

type Pause = { ms: number; cpu: number; total: number }

/** How long one request in a large organization holds up others, whose requests come every 10 ms. */
export async function measurePauses(
  database: DatabaseServer,
  options: RunOptions,
  say: (text: string) => void,
): Promise<Result> {
  const databaseUrl = await database.create(seeded)
  const organization = await seed(databaseUrl, sizeOf(users))
  const port = await freePort()
  const probe = new URL('../pause-probe.mjs', import.meta.url)
  const environment = { PAUSE_PROBE_PORT: String(port), NODE_OPTIONS: `--import ${probe}` }
  const bench = await Bench.open(database, organization, {
    ...options,
    name: 'pauses',
    databaseUrl,
    environment,
  })
  try {
    const pauses = new Pauses(bench, port, say)
    const requests = [...requestsIn(bench), ...requestsOfGuest(bench, await groupOfMembers(bench))]
    for (const [what, request] of requests) await pauses.during(what, () => bench.ask(request))
    const queues = await parkQueues(bench, 2 * waiting)
    for (const [how, own] of [
      ['polls', queues.slice(0, waiting)],
      ['streams', queues.slice(waiting)],
    ] as const) {
      await pauses.whileWaiting(how, own)
    }
    await pauses.whenReturning(await parkQueues(bench, waiting))
    return { rows: [], findings: pauses.findings }
  } finally {
    await bench.close()
    await database.drop(seeded)
  }
}

/** In this order: the first of a kind makes what others find. */
function requestsIn(bench: Bench): [what: string, request: string][] {
  const { firstUser, large } = bench.organization
  const by = (user: number) => zipped(as(bench, user))
  const ids = JSON.stringify(Array.from({ length: named }, (_, n) => firstUser + n))
  const form = (method: string, path: string, fields: Record<string, string>) =>
    rawRequest(method, `/api/v1${path}`, by(0), fields)
  const get = (path: string) => rawRequest('GET', `/api/v1${path}`, by(6))
  const all = { include_subscribers: 'true' }
  const subscriptions = '/users/me/subscriptions'
  return [
    ['register with subscribers, first', registration(by(3), all)],
    ['register with subscribers, second', registration(by(4), all)],
    ['list of users, first', get('/users')],
    ['list of channels', get('/streams')],
    ['list of groups', get('/user_groups')],
    ['subscribers of the largest channel', get(`/streams/${large}/members`)],
    [
      'a new group of 20,000',
      form('POST', '/user_groups/create', { name: 'crowd', description: '', members: ids }),
    ],
    [
      'subscribe 20,000',
      form('POST', subscriptions, { subscriptions: '[{"name":"project 40"}]', principals: ids }),
    ],
    [
      'unsubscribe 20,000',
      form('DELETE', subscriptions, { subscriptions: '["project 40"]', principals: ids }),
    ],
    ['the largest channel becomes private', form('PATCH', `/streams/${large}`, { is_private: 'true' })],
    ['it becomes public', form('PATCH', `/streams/${large}`, { is_private: 'false' })],
    ['it is archived', form('DELETE', `/streams/${large}`, {})],
    ['it is brought back', form('PATCH', `/streams/${large}`, { is_archived: 'false' })],
  ]
}

/** A user who becomes a guest, may not see all users, and becomes a member again. */
function requestsOfGuest(bench: Bench, members: number): [what: string, request: string][] {
  const guest = 50
  const id = bench.organization.firstUser + guest
  const form = (method: string, path: string, fields: Record<string, string>) =>
    rawRequest(method, `/api/v1${path}`, zipped(as(bench, 0)), fields)
  const role = (role: number) => form('PATCH', `/users/${id}`, { role: String(role) })
  const limit = form('PATCH', '/realm', { can_access_all_users_group: JSON.stringify({ new: members }) })
  const principals = JSON.stringify([id])
  const subscriptions = '/users/me/subscriptions'
  return [
    ['a member becomes a guest', role(600)],
    ['guests may not see all users', limit],
    ['registration of that guest, first', registration(zipped(as(bench, guest)))],
    ['registration of that guest, second', registration(zipped(as(bench, guest)))],
    [
      'the guest leaves the largest channel',
      form('DELETE', subscriptions, { subscriptions: '["large"]', principals }),
    ],
    [
      'the guest comes back',
      form('POST', subscriptions, { subscriptions: '[{"name":"large"}]', principals }),
    ],
    ['the guest becomes a member', role(400)],
  ]
}

async function groupOfMembers(bench: Bench): Promise<number> {
  const { body } = await bench.ask(rawRequest('GET', '/api/v1/user_groups', as(bench, 0)))
  const groups: { id: number; name: string }[] = JSON.parse(body.toString()).user_groups
  return firstIn(groups.filter(({ name }) => name === 'role:members')).id
}

class Pauses {
  readonly findings: Finding[] = []
  private readonly bench: Bench
  private readonly probe: number
  private readonly say: (text: string) => void

  constructor(bench: Bench, probe: number, say: (text: string) => void) {
    this.bench = bench
    this.probe = probe
    this.say = say
  }

  /** Measures a piece of work, and how long others wait for their own user meanwhile. */
  async during(what: string, work: () => Promise<unknown>) {
    // What the work before has left behind, such as saving what keys were used, is not counted.
    await sleep(500)
    await this.ask('/begin')
    const others = await Others.begin(this.bench)
    await work()
    await sleep(50)
    const waited = await others.end()
    const { cpu, total } = await this.ask('/report')
    this.note(`${what}: processor time`, total)
    this.note(`${what}: in one piece`, cpu)
    this.note(`${what}: others waited`, waited)
    this.say(`${what}: measured`)
  }

  /** Measures a message to all, of whom these wait. */
  async whileWaiting(how: 'polls' | 'streams', queues: Awaited<ReturnType<typeof parkQueues>>) {
    const { bench } = this
    const sends = [sendTo(as(bench, 0), bench.organization.large, 0)]
    const crowd = await bench.load.do('gather', { port: bench.server.port, how, queues, sends })
    const round = () => bench.load.do('crowdRounds', { crowd, rounds: 1 })
    // The first takes in who has come, and compiles.
    await inTurn(2, round)
    const whom = `${waiting.toLocaleString('en')} ${how}`
    await this.during(`a message to ${whom}`, round)
    await this.during(`${together} messages together to ${whom}`, async () => {
      await sendTogether(bench)
      // When all have this one, they have the others.
      await round()
    })
    await bench.load.do('disperse', { crowd })
  }

  /** Measures clients that return for what they have missed, all at the same moment. */
  async whenReturning(queues: Awaited<ReturnType<typeof parkQueues>>) {
    const { bench } = this
    const polls = (headers: Record<string, string>) =>
      queues.map(({ authorization, queueId }) =>
        rawRequest('GET', eventsPath(queueId, -1), { authorization, ...headers }),
      )
    const poll = (requests: string[]) => bench.load.do('together', { port: bench.server.port, requests })
    await sendTogether(bench)
    const [plain, zipped] = [polls({}), polls({ 'accept-encoding': 'gzip' })]
    // The server reads queues that it does not know, in portions that it does not refuse.
    for (let i = 0; i < waiting; i += 250) await poll(plain.slice(i, i + 250))
    const what = `${waiting.toLocaleString('en')} polls for ${together} messages at the same moment`
    await this.during(what, () => poll(plain))
    await this.during(`${what}, gzip`, () => poll(zipped))
  }

  private async ask(path: string): Promise<Pause> {
    return (await fetch(`http://127.0.0.1:${this.probe}${path}`)).json() as Promise<Pause>
  }

  private note(what: string, value: number) {
    this.findings.push({ what, value, unit: 'ms' })
  }
}

/** Sends messages to the largest channel, each of another user on a connection of their own. */
async function sendTogether(bench: Bench) {
  const connections = await inTurn(together, () => RawConnection.open(bench.server.port))
  const { large } = bench.organization
  await Promise.all(connections.map((one, i) => one.ask(sendTo(as(bench, 3 * waiting + i), large, i))))
  for (const connection of connections) connection.close()
}

/** Another user, who sends a small request every 10 ms. */
class Others {
  private longest = 0
  private isOver = false
  private readonly done: Promise<void>

  private constructor(connection: RawConnection, request: string) {
    this.done = this.go(connection, request)
  }

  static async begin(bench: Bench): Promise<Others> {
    const connection = await RawConnection.open(bench.server.port)
    return new Others(connection, rawRequest('GET', '/api/v1/users/me', as(bench, 2)))
  }

  /** Returns how long the longest request took. */
  async end(): Promise<number> {
    this.isOver = true
    await this.done
    return this.longest
  }

  private async go(connection: RawConnection, request: string) {
    for (; !this.isOver; await sleep(10)) {
      const begun = performance.now()
      await connection.ask(request)
      this.longest = Math.max(this.longest, performance.now() - begun)
    }
    connection.close()
  }
}
