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
 * How many messages two servers take together that share a database, of what one takes that is alone. Each message is charged to the server
 * that has most to do, and compared with two servers that have nothing in common: caches and processors that
 * two busy processes share make all of them slower alike.
 */
export async function measureNodes(database: DatabaseServer, { seconds }: RunOptions): Promise<Result> {
  const nats = await Nats.start()
  const load = new Worker<Load>('load.ts')
  const urls = await Promise.all(
    ['together', 'left', 'right'].map((name) => database.create(`rookery_${name}`)),
  )
  const started: RunningServer[] = []
  const start = async (name: string, plan: Omit<NodesPlan, 'place'>) => {
    const server = await startNode(name, { ...plan, place: `${dataDirectory}nodes-${name}` })
    started.push(server)
    return server
  }
  try {
    const [together, left, right] = urls as [string, string, string]
    const names = ['one', 'two', 'both']
    const [one, two, both] = (await seedHosted(together, names, smallSize)) as [Hosted, Hosted, Hosted]
    const shared = { databaseUrl: together, natsUrl: nats?.url }
    const apart = await Promise.all(
      [left, right].map(async (databaseUrl, i) => {
        const [organization] = (await seedHosted(databaseUrl, ['one'], smallSize)) as [Hosted]
        return { organization, server: await start(`apart-${i}`, { databaseUrl, natsUrl: undefined }) }
      }),
    )
    const [first, second] = [await start('first', shared), await start('second', shared)]
    const pairs: Pair[] = [
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
    return resultOf(pairs, await costsOf(pairs, { load, postgres: database.pid, seconds }))
  } finally {
    load.stop()
    for (const server of started) await server.stop()
    await nats?.kill()
    for (const name of ['together', 'left', 'right']) await database.drop(`rookery_${name}`)
  }
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

function resultOf(pairs: Pair[], costs: Map<Pair, Cost[]>): Result {
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
    what: `${pair.what}, of the messages of one server that is alone`,
    value: (2 * busiest(apart!)) / busiest(pair),
    unit: '×',
  }))
  return { rows, findings }
}
