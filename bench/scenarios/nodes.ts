import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bench, type Result, type RunOptions, seeded } from '../bench.ts'
import type { Finding } from '../budgets.ts'
import type { DatabaseServer } from '../database.ts'
import { rowOf, type Slice } from '../measure.ts'
import { as, inTurn, rounds, sendTo } from '../operations.ts'
import { freePort } from '../processes.ts'
import { rawRequest } from '../raw-client.ts'
import { type Organization, seed } from '../seed.ts'
import { copyOrganization, hostOf, publicUrl, smallSize } from '../seed-organizations.ts'
import { type RunningServer, startServer } from '../server.ts'

const organizations = 200
const connections = 16

/** The second server has none of the organizations in which people write, or all of them. */
const cases = [
  { what: 'has none of the organizations', loads: false },
  { what: 'has them all', loads: true },
]

/** What is written. */
const writes = [
  { what: 'a message', requestIn: sendIn },
  { what: 'a report of presence', requestIn: presenceIn },
]

type Nats = {
  url: string
  pid: number
  counts(): Promise<{ in_msgs: number; in_bytes: number }>
  stop(): void
}

/**
 * What a server needs for what is written at another one: woken by PostgreSQL, and by NATS if NATS_SERVER says where that
 * program is.
 */
export async function measureNodes(database: DatabaseServer, options: RunOptions): Promise<Result> {
  const databaseUrl = await database.create(seeded)
  const organization = await seed(databaseUrl, smallSize)
  await copyOrganization(databaseUrl, organization, organizations + 1)
  const results = [await measureBy('PostgreSQL', { ...options, databaseUrl }, database, organization)]
  const program = process.env.NATS_SERVER
  if (program) {
    const nats = await startNats(program)
    try {
      results.push(await measureBy('NATS', { ...options, databaseUrl, nats }, database, organization))
    } finally {
      nats.stop()
    }
  }
  await database.drop(seeded)
  return {
    rows: results.flatMap(({ rows }) => rows),
    findings: results.flatMap(({ findings }) => findings),
  }
}

async function measureBy(
  by: string,
  options: RunOptions & { databaseUrl: string; nats?: Nats },
  database: DatabaseServer,
  organization: Organization,
): Promise<Result> {
  const { nats, databaseUrl } = options
  const environment = {
    ROOKERY_URL: publicUrl,
    ROOKERY_SECRET: 'a secret of the benchmark, as long as secrets have to be',
    ...(nats && { NATS_URL: nats.url }),
  }
  const result: Result = { rows: [], findings: [] }
  for (const { what, loads } of cases) {
    const name = `nodes-${by}-${loads ? 'all' : 'none'}`
    const bench = await Bench.open(database, organization, { ...options, name, environment })
    const second = await startServer(databaseUrl, { data: 'second', environment })
    try {
      for (const server of [bench.server, ...(loads ? [second] : [])]) await loadAll(bench, server)
      for (const write of writes) {
        const before = await nats?.counts()
        const { first, others } = await measureWrites(bench, second, write.requestIn)
        result.rows.push(
          rowOf(`${write.what}, by ${by}, where the other server ${what}`, first),
          rowOf(`${write.what} at a server that ${what}, by ${by}`, others),
        )
        if (before) {
          const place = `${write.what}, where a server ${what}`
          result.findings.push(...traffic(place, before, await nats!.counts(), first))
        }
      }
    } finally {
      await second.stop()
      await bench.close()
    }
  }
  return result
}

type RequestIn = (bench: Bench, number: number) => string

/** The same slices twice: with the processor time of the server that writes, and with that of the other one. */
async function measureWrites(bench: Bench, second: RunningServer, requestIn: RequestIn) {
  const first: Slice[] = []
  const others = await inTurn(rounds, () =>
    bench.withCpuTime(async () => {
      const slice = await bench.withCpuTime(() => writeInAll(bench, requestIn))
      first.push(slice)
      return slice
    }, second),
  )
  return { first, others }
}

type Counts = Awaited<ReturnType<Nats['counts']>>

function traffic(what: string, before: Counts, after: Counts, slices: Slice[]): Finding[] {
  const count = slices.reduce((sum, slice) => sum + slice.count, 0)
  const bytes = (after.in_bytes - before.in_bytes) / count
  const calls = (after.in_msgs - before.in_msgs) / count
  return [
    { what: `NATS, for ${what}`, value: bytes, unit: 'bytes' },
    { what: `calls by NATS, for ${what}`, value: calls, unit: '' },
  ]
}

const numbers = Array.from({ length: organizations }, (_, n) => n + 2)

async function loadAll(bench: Bench, { port }: RunningServer) {
  const script = numbers.map((number) => sendIn(bench, number))
  await bench.load.do('once', { port, scripts: [script] })
}

/** In many organizations, one after the other on each of some connections. */
function writeInAll(bench: Bench, requestIn: RequestIn): Promise<Slice> {
  const scripts = Array.from({ length: connections }, (_, k) =>
    numbers.filter((number) => number % connections === k).map((number) => requestIn(bench, number)),
  )
  return bench.load.do('requests', { port: bench.server.port, seconds: 6 * bench.slice, scripts })
}

function sendIn(bench: Bench, number: number) {
  return sendTo(headersIn(bench, number), bench.organization.large, number)
}

function presenceIn(bench: Bench, number: number) {
  const path = `/api/v1/users/me/presence?last_update_id=${2 ** 40}`
  return rawRequest('POST', path, headersIn(bench, number), { status: 'active', slim_presence: 'true' })
}

function headersIn(bench: Bench, number: number) {
  return { ...as(bench, number % smallSize.users), host: hostOf(number) }
}

async function startNats(program: string): Promise<Nats> {
  const [port, monitor] = [await freePort(), await freePort()]
  const args = ['-a', '127.0.0.1', '-p', String(port), '-m', String(monitor)]
  const child = spawn(program, args, { stdio: 'ignore' })
  const counts = async () => {
    const response = await globalThis.fetch(`http://127.0.0.1:${monitor}/varz`)
    return (await response.json()) as Counts
  }
  const end = performance.now() + 10_000
  while (!(await counts().catch(() => undefined))) {
    if (performance.now() > end) throw new Error(`${program} did not start`)
    await sleep(50)
  }
  return { url: `nats://127.0.0.1:${port}`, pid: child.pid!, counts, stop: () => child.kill() }
}
