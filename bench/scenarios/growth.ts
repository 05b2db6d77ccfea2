import { Bench, type Result, seeded } from '../bench.ts'
import { budgets, type Finding } from '../budgets.ts'
import type { DatabaseServer } from '../database.ts'
import { type Row, rowOf, type Slice } from '../measure.ts'
import { cpuTimeOfTree, residentBytes } from '../processes.ts'
import { rawRequest } from '../raw-client.ts'
import { type Size, seed } from '../seed.ts'
import { texts } from '../texts.ts'

/** Organizations of one shape, each ten times as large as the one before. */
const sizes: Size[] = [1_000, 10_000, 100_000].map((users) => ({
  users,
  channels: users / 10,
  subscriptionsPerUser: 10,
  smallChannel: 10,
  messages: users * 10,
  unread: 500,
  newcomers: 10,
  channelsOfReader: 10,
}))

/** `reach`: whether its work concerns a few users, or all users or messages and so may take as many times as long. */
type Operation = { what: string; reach: 'few' | 'all'; measure(subject: Subject): Promise<Slice[]> }
type Subject = { bench: Bench; size: Size }

type Growth = Operation & { slices: Slice[][] }

/**
 * What the same work costs in organizations of 1,000, 10,000 and 100,000 users, with a tenth as many channels and ten
 * times as many messages. Work that concerns few users should not cost more, and what concerns all, or all messages, ten times as much.
 */
export async function measureGrowth(
  database: DatabaseServer,
  options: { seconds: number; profile: string | undefined },
  say: (text: string) => void,
): Promise<Result> {
  const grown: Growth[] = operations.map((operation) => ({ ...operation, slices: [] }))
  const findings: Finding[] = []
  for (const size of sizes) {
    const organization = await seed(await database.create(seeded), size)
    say(`An organization of ${countOf(size)} users was made.`)
    const bench = await Bench.open(database, organization, { ...options, name: `growth-${size.users}` })
    try {
      findings.push(...startOf({ bench, size }))
      for (const { measure, slices } of grown) slices.push(await measure({ bench, size }))
      findings.push(memoryOf({ bench, size }))
    } finally {
      await bench.close()
    }
  }
  await database.drop(seeded)
  return { rows: grown.flatMap(rowsOf), findings: [...findings, ...grown.map(growthOf)] }
}

function countOf({ users }: Size) {
  return users.toLocaleString('en')
}

function startOf({ bench, size }: Subject): Finding[] {
  const cpu = cpuTimeOfTree(bench.server.pid)
  return cpu
    ? [{ what: `${countOf(size)} users, start, of the processor`, value: cpu.server, unit: 's' }]
    : []
}

function memoryOf({ bench, size }: Subject): Finding {
  const value = residentBytes(bench.server.pid) / 1e6
  return { what: `${countOf(size)} users, memory after all this`, value, unit: 'MB' }
}

function rowsOf({ what, slices }: Growth): Row[] {
  return slices.map((those, i) => rowOf(`${what}, ${countOf(sizes[i]!)} users`, those))
}

/** How many times the processor time of the second largest organization the largest one takes. */
function growthOf({ what, reach, slices }: Growth): Finding {
  const [before, last] = slices.slice(-2).map((those) => {
    const { server = Number.NaN, postgres = Number.NaN } = rowOf(what, those)
    return server + postgres
  })
  const budget = reach === 'few' ? budgets.growthOfFew : budgets.growthOfAll
  return { what: `${what}, of a tenth of the users`, value: last! / before!, unit: '×', budget }
}

const operations: Operation[] = [
  often('register, messages only', 'few', (as) =>
    rawRequest('POST', '/api/v1/register', as, { event_types: '["message"]' }),
  ),
  often('register, everything, gzip', 'all', (as) =>
    rawRequest('POST', '/api/v1/register', zipped(as), {
      apply_markdown: 'true',
      client_gravatar: 'true',
      slim_presence: 'true',
      client_capabilities: JSON.stringify({
        notification_settings_null: true,
        user_avatar_url_field_optional: true,
      }),
    }),
  ),
  often('list of users, gzip', 'all', (as) => rawRequest('GET', '/api/v1/users', zipped(as))),
  often('one user', 'few', (as) => rawRequest('GET', '/api/v1/users/me', as)),
  often('page of a channel', 'few', (as, { organization }) =>
    pageOf(as, [{ operator: 'channel', operand: organization.large }]),
  ),
  often('page of everything', 'few', (as) => pageOf(as, [])),
  often('search', 'all', (as) => pageOf(as, [{ operator: 'search', operand: 'deploy' }])),
  often('send to 10 subscribers', 'few', (as, { organization }, i) => sendTo(as, organization.small, i)),
  often('send to all users', 'few', (as, { organization }, i) => sendTo(as, organization.large, i)),
  often('presence, nothing new', 'few', (as) =>
    rawRequest('POST', `/api/v1/users/me/presence?last_update_id=${2 ** 40}`, as, {
      status: 'active',
      slim_presence: 'true',
    }),
  ),
  often('topics of a channel', 'few', (as, { organization }) =>
    rawRequest('GET', `/api/v1/users/me/${organization.small}/topics`, as),
  ),
  often('subscribers of the largest channel, gzip', 'all', (as, { organization }) =>
    rawRequest('GET', `/api/v1/streams/${organization.large}/members`, zipped(as)),
  ),
  {
    what: 'subscribe everybody',
    reach: 'all',
    measure: ({ bench, size }) =>
      inTurn(rounds, (i) => bench.timed(() => subscribeAll(bench, size, `project ${20 + i}`))),
  },
  {
    what: 'change of a name',
    reach: 'few',
    measure: ({ bench }) =>
      inTurn(10 * rounds, (i) =>
        bench.timed(() =>
          bench.ask(rawRequest('PATCH', '/api/v1/settings', as(bench, 3), { full_name: `Ann Other ${i}` })),
        ),
      ),
  },
  {
    what: 'send to a tenth of all users, who wait',
    reach: 'all',
    measure: ({ bench, size }) => sendToThoseWho(bench, size.users / 10),
  },
]

const rounds = 3
/** Different people, so that caches must help others too. */
const people = 40

type Headers = Record<string, string>

function as({ organization }: Bench, user: number): Headers {
  return { authorization: organization.authorization(user) }
}

function zipped(headers: Headers): Headers {
  return { ...headers, 'accept-encoding': 'gzip' }
}

/** One connection, on which several people ask one after the other. */
function often(
  what: string,
  reach: Operation['reach'],
  requestOf: (headers: Headers, bench: Bench, i: number) => string,
): Operation {
  return {
    what,
    reach,
    async measure({ bench, size: { smallChannel } }) {
      const script = Array.from({ length: people }, (_, i) =>
        requestOf(as(bench, i % smallChannel), bench, i),
      )
      const { port } = bench.server
      const during = (seconds: number) => bench.load.do('requests', { port, seconds, scripts: [script] })
      // What is made for the first of a kind of reader is not what later ones cost.
      for (const request of script) await bench.ask(request)
      return inTurn(rounds, () => bench.withCpuTime(() => during(2 * bench.slice)))
    },
  }
}

async function inTurn<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let i = 0; i < count; i++) done.push(await work(i))
  return done
}

function pageOf(headers: Headers, narrow: object[]) {
  const query = new URLSearchParams({
    anchor: 'newest',
    num_before: '100',
    num_after: '0',
    narrow: JSON.stringify(narrow),
    apply_markdown: 'true',
  })
  return rawRequest('GET', `/api/v1/messages?${query}`, headers)
}

function sendTo(headers: Headers, channel: number, i: number) {
  const content = texts[i % texts.length]!
  return rawRequest('POST', '/api/v1/messages', headers, {
    type: 'channel',
    to: String(channel),
    topic: `topic ${i}`,
    content,
  })
}

/** Subscribes everybody to a channel, as many in one request as it takes. */
async function subscribeAll(bench: Bench, { users }: Size, name: string) {
  const { firstUser } = bench.organization
  for (let first = 0; first < users; first += principalsPerRequest) {
    const count = Math.min(principalsPerRequest, users - first)
    const request = rawRequest('POST', '/api/v1/users/me/subscriptions', as(bench, 0), {
      subscriptions: JSON.stringify([{ name }]),
      principals: JSON.stringify(Array.from({ length: count }, (_, n) => firstUser + first + n)),
    })
    await bench.ask(request)
  }
}

const principalsPerRequest = 20_000

/** Sends to the large channel while this many of its subscribers wait for events; a slice is five sends. */
async function sendToThoseWho(bench: Bench, count: number): Promise<Slice[]> {
  const queues = []
  for (let user = 1; user <= count; user++) {
    const headers = as(bench, user)
    const wanted = new URLSearchParams({ dont_block: 'true', event_types: '["message"]' })
    const { body } = await bench.ask(rawRequest('GET', `/api/v1/events?${wanted}`, headers))
    queues.push({ authorization: headers.authorization!, queueId: JSON.parse(body.toString()).queue_id })
  }
  const sends = texts.map((_, i) => sendTo(as(bench, 0), bench.organization.large, i))
  const crowd = await bench.load.do('gather', { port: bench.server.port, queues, sends })
  const slices = await inTurn(rounds, () =>
    bench.withCpuTime(async () => {
      const sent = await bench.load.do('crowdRounds', { crowd, rounds: 5 })
      const latencies = sent.map(({ last }) => last)
      return { count: sent.length, seconds: latencies.reduce((sum, one) => sum + one, 0) / 1000, latencies }
    }),
  )
  await bench.load.do('disperse', { crowd })
  return slices
}
