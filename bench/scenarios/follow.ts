import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Result } from '../bench.ts'
import { CountingProxy } from '../counting-proxy.ts'
import type { DatabaseServer } from '../database.ts'
import { dataDirectory } from '../database.ts'
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
import { RawConnection, rawRequest } from '../raw-client.ts'
import { profileOptions, type RunningServer } from '../server.ts'
import { Worker } from '../worker.ts'

/** How messages come: as many as the sending node takes, or at a steady rate. */
const paces = [
  { name: 'all it takes', perSecond: undefined },
  { name: '200 a second', perSecond: 200 },
] as const
type Pace = (typeof paces)[number]

/** As fast as possible, a node gets this many for each second that was asked for, however long that takes on a busy machine. */
const messagesASecond = 1_000
const longest = 120
const slices = 8

type Pair = { from: RunningServer; to: RunningServer; proxy: CountingProxy }
type Options = { seconds: number; profile: string | undefined }

/**
 * Measures how much a node spends on messages that another node takes: of organizations that it has not loaded, and of those that
 * it has.
 */
export async function measureFollow(database: DatabaseServer, options: Options): Promise<Result> {
  const databaseUrl = await database.create('rookery_follow')
  const [organization] = (await seedHosted(databaseUrl, ['one'], smallSize)) as [Hosted]
  const rows: Row[] = []
  const findings: Result['findings'] = []
  for (const way of ['NOTIFY', 'NATS']) {
    const nats = way === 'NATS' ? await Nats.start() : undefined
    if (way === 'NATS' && !nats) continue
    const place = `${dataDirectory}follow-${way}`
    const plan = { databaseUrl, natsUrl: nats?.url, place }
    const result = await measureWay(way, plan, organization, options)
    await nats?.kill()
    rows.push(...result.rows)
    findings.push(...result.findings)
  }
  await database.drop('rookery_follow')
  return { rows, findings }
}

async function measureWay(
  way: string,
  plan: NodesPlan,
  organization: Hosted,
  { seconds, profile }: Options,
): Promise<Result> {
  const load = new Worker<Load>('load.ts')
  const proxy = await CountingProxy.start(plan.databaseUrl)
  const from = await startNode(`${way}-from`, plan)
  const options = profileOptions(profile && `${profile}/follow-${way}`)
  const to = await startNode(`${way}-to`, { ...plan, options, databaseUrl: proxy.url })
  const pair = { from, to, proxy }
  const found: Result = { rows: [], findings: [] }
  const add = async (what: string) => {
    for (const pace of paces) {
      const cost = await costOf(pair, load, organization, pace, seconds)
      found.rows.push({ what: `${way}, ${what}, ${pace.name}`, rate: cost.rate, server: cost.microseconds })
      found.findings.push({ what: `${way}, ${what}, ${pace.name}: queries`, value: cost.queries, unit: '' })
    }
  }
  try {
    await costOf(pair, load, organization, paces[0], 3)
    await add('not loaded')
    await askFor(to, organization)
    await costOf(pair, load, organization, paces[0], 3)
    await add('loaded')
    const stream = await listen(to, organization)
    await add('one listener')
    stream.close()
  } finally {
    load.stop()
    await from.stop()
    await to.stop()
    await proxy.stop()
  }
  return found
}

/** The median of several measurements of each message, without what the node does at rest: other work on the machine disturbs some. */
async function costOf(
  { from, to, proxy }: Pair,
  load: Worker<Load>,
  organization: Hosted,
  pace: Pace,
  seconds: number,
) {
  const found: { rate: number; microseconds: number; queries: number }[] = []
  const measure = async (work: () => Promise<number>) => {
    const [cpu, queries, at] = [exactCpuSeconds(to.pid), proxy.queries, performance.now()]
    const count = await work()
    // The last announcement arrives.
    await sleep(100)
    const took = (performance.now() - at) / 1_000
    return { count, took, cpu: exactCpuSeconds(to.pid) - cpu, queries: proxy.queries - queries }
  }
  for (let slice = 0; slice < slices; slice++) {
    const rest = await measure(() => sleep((seconds * 1_000) / slices, 0))
    const { count, took, cpu, queries } = await measure(() =>
      sendAt(load, from.port, organization, pace, seconds / slices),
    )
    const part = took / rest.took
    found.push({
      rate: count / took,
      microseconds: ((cpu - rest.cpu * part) / count) * 1e6,
      queries: Math.max(0, queries - rest.queries * part) / count,
    })
  }
  const middle = (of: 'rate' | 'microseconds' | 'queries') => median(found.map((one) => one[of]))
  return { rate: middle('rate'), microseconds: middle('microseconds'), queries: middle('queries') }
}

async function sendAt(
  load: Worker<Load>,
  port: number,
  organization: Hosted,
  { perSecond }: Pace,
  seconds: number,
) {
  const scripts = Array.from({ length: 64 }, (_, user) =>
    sendsOf(organization, user % smallSize.smallChannel),
  )
  const plan = { port, seconds: longest, scripts, most: seconds * messagesASecond }
  if (!perSecond) return (await load.do('requests', plan)).count
  const sends = scripts.flat()
  const flood = { port, seconds, perSecond, connections: 64, sends, searches: sends, searchEvery: 1_000 }
  return (await load.do('flood', flood)).offered
}

/** Has a node load an organization. */
async function askFor({ port }: RunningServer, { host }: Hosted) {
  const connection = await RawConnection.open(port)
  await connection.ask(rawRequest('GET', '/api/v1/server_settings', { host }))
  connection.close()
}

/** A client that reads a stream of events, and forgets them. */
async function listen({ port }: RunningServer, { host, authorization }: Hosted) {
  const headers = { host, authorization: authorization(1) }
  const connection = await RawConnection.open(port)
  const registered = await connection.ask(
    rawRequest('POST', '/api/v1/register', headers, { event_types: '["message"]' }),
  )
  connection.close()
  const { queue_id: id, last_event_id: last } = JSON.parse(registered.body.toString())
  const path = `/api/v1/events?queue_id=${id}&last_event_id=${last}`
  const socket = connect(port, '127.0.0.1').resume()
  socket.write(rawRequest('GET', path, { ...headers, accept: 'text/event-stream' }))
  return { close: () => socket.destroy() }
}
