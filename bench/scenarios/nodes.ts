import type { Result, RunOptions } from '../bench.ts'
import { type DatabaseServer, dataDirectory } from '../database.ts'
import type { Load } from '../load.ts'
import { median, type Row } from '../measure.ts'
import { Nats } from '../nats.ts'
import {
  exactCpuSeconds,
  type Hosted,
  type NodesPlan,
  seedHosted,
  sendsOf,
  smallSize,
  startNode,
} from '../nodes.ts'
import { withCpuTime } from '../processes.ts'
import type { RunningServer } from '../server.ts'
import { Worker } from '../worker.ts'

/** To each server. */
const connections = 64
const messagesASecond = 1_000
const rounds = 8
const longest = 120

/** Two servers, and the organization to which each gets messages. */
type Pair = { what: string; servers: readonly Sending[] }
type Sending = { server: RunningServer; organization: Hosted }

/** Microseconds of the processor for each message of both: of each server, and of PostgreSQL. */
type Cost = { servers: number[]; postgres: number }

/**
 * How many messages two servers of one database take together, compared with one server alone. A message is charged to the server
 * that has most to do, and the measure are two servers that have nothing in common: two busy processes that share caches
 * and processors make each other slower, whatever they do.
 */
export async function measureNodes(database: DatabaseServer, { seconds }: RunOptions): Promise<Result> {
  const load = new Worker<Load>('load.ts')
  const started: RunningServer[] = []
  const nats = await Nats.start()
  try {
    const pairs = await startPairs(database, nats?.url, started)
    const way = nats ? 'by NATS' : 'by NOTIFY'
    return resultOf(pairs, await costsOf(pairs, { load, postgres: database.pid, seconds }), way)
  } finally {
    load.stop()
    for (const server of started) await server.stop()
    await nats?.kill()
    for (const name of databases) await database.drop(name)
  }
}

const databases = ['rookery_together', 'rookery_left', 'rookery_right'] as const

async function startPairs(
  database: DatabaseServer,
  natsUrl: string | undefined,
  started: RunningServer[],
): Promise<Pair[]> {
  const start = async (name: string, plan: Omit<NodesPlan, 'place'>) => {
    const server = await startNode(name, { ...plan, place: `${dataDirectory}nodes-${name}` })
    started.push(server)
    return server
  }
  const [together, ...separate] = databases
  const databaseUrl = await database.create(together)
  const names = ['one', 'two', 'both']
  const [one, two, both] = (await seedHosted(databaseUrl, names, smallSize)) as [Hosted, Hosted, Hosted]
  const [first, second] = [
    await start('first', { databaseUrl, natsUrl }),
    await start('second', { databaseUrl, natsUrl }),
  ]
  const apart: Sending[] = []
  for (const name of separate) {
    const databaseUrl = await database.create(name)
    const [organization] = (await seedHosted(databaseUrl, ['one'], smallSize)) as [Hosted]
    apart.push({ organization, server: await start(name, { databaseUrl, natsUrl: undefined }) })
  }
  return [
    { what: 'two servers that have nothing in common', servers: apart },
    {
      what: 'two servers of one database, an organization each',
      servers: [
        { server: first, organization: one },
        { server: second, organization: two },
      ],
    },
    {
      what: 'two servers of one database, the same organization',
      servers: [first, second].map((server) => ({ server, organization: both })),
    },
  ]
}

type Measuring = { load: Worker<Load>; postgres: number | undefined; seconds: number }

/** By turns. The first round warms up. */
async function costsOf(pairs: Pair[], measuring: Measuring): Promise<Map<Pair, Cost[]>> {
  const found = new Map<Pair, Cost[]>(pairs.map((pair) => [pair, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [pair, costs] of found) {
      const cost = await costOf(pair, measuring)
      if (round > 0) costs.push(cost)
    }
  }
  return found
}

async function costOf({ servers }: Pair, { load, postgres, seconds }: Measuring): Promise<Cost> {
  const most = Math.ceil((seconds * messagesASecond) / servers.length)
  const sending = async () => {
    const sent = servers.map(({ server, organization }) => {
      const scripts = Array.from({ length: connections }, (_, user) =>
        sendsOf(organization, user % smallSize.smallChannel),
      )
      return load.do('requests', { port: server.port, seconds: longest, scripts, most })
    })
    return { count: (await Promise.all(sent)).reduce((sum, one) => sum + one.count, 0) }
  }
  const before = servers.map(({ server }) => exactCpuSeconds(server.pid))
  const { count, cpu } = await withCpuTime({ server: servers[0]!.server.pid, postgres }, sending)
  const used = servers.map(({ server }, i) => exactCpuSeconds(server.pid) - before[i]!)
  const each = (cpuSeconds: number) => (cpuSeconds / count) * 1e6
  return { servers: used.map(each), postgres: each(cpu?.postgres ?? Number.NaN) }
}

function resultOf(pairs: Pair[], costs: Map<Pair, Cost[]>, way: string): Result {
  const busiest = (pair: Pair) => median(costs.get(pair)!.map(({ servers }) => Math.max(...servers)))
  const rows = pairs.map((pair): Row => {
    const all = costs.get(pair)!
    const server = median(all.map(({ servers }) => servers.reduce((sum, one) => sum + one, 0)))
    return {
      what: pair.what,
      rate: 1e6 / busiest(pair),
      server,
      postgres: median(all.map((one) => one.postgres)),
    }
  })
  const [apart, ...others] = pairs
  const findings = others.map((pair) => ({
    what: `${pair.what}, ${way}, of the messages of one server that is alone`,
    value: (2 * busiest(apart!)) / busiest(pair),
    unit: '×',
  }))
  return { rows, findings }
}
