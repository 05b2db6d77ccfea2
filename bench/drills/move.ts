import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../src/lib/network/free-port.ts'
import { logLimits } from '../../src/log/limits.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { historySize, type Organization, seed } from '../seed.ts'
import { type RunningServer, runCommand, serve, serverEnvironment } from '../server.ts'
import { Listener } from './listeners.ts'
import { PageReader } from './page-reader.ts'
import { delays, steadySends } from './steady-sends.ts'

// Moves an organization to another database and back while people write and listen through two servers: nothing may be lost,
// repeated or out of order.

const usage = `npm run drill:move [-- --messages N --rate N --moves N --at DIRECTORY]

--messages N     messages that are there before (20000)
--rate N         sends per second (100)
--moves N        how often it is moved (4)
--at DIRECTORY   where there is room (the temporary files)
`

async function main() {
  const { values } = parseArgs({
    options: {
      messages: { type: 'string', default: '20000' },
      rate: { type: 'string', default: '100' },
      moves: { type: 'string', default: '4' },
      at: { type: 'string', default: tmpdir() },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(usage)
  const place = await mkdtemp(join(values.at, 'rookery-drill-'))
  const databases: EmbeddedPostgres[] = []
  const servers: RunningServer[] = []
  try {
    for (const name of ['main', 'second']) databases.push(await startDatabase(join(place, name)))
    const [main, second] = databases.map(({ url }) => url) as [string, string]
    const messages = Number(values.messages)
    const organization = await seed(main, { ...historySize, messages, unread: Math.min(1_000, messages) })
    const environment = { DATABASE_URL: main, ROOKERY_DATABASES: `second=${second}`, ROOKERY_SECRET: secret }
    // The first start makes the tables of both.
    for (const name of ['a', 'b']) servers.push(await startNode(join(place, name), environment))
    const plan = { rate: Number(values.rate), moves: Number(values.moves) }
    const faults = await carryOut(servers, organization, plan, {
      ...environment,
      ROOKERY_DATA: join(place, 'a'),
    })
    for (const fault of faults.slice(0, 20)) console.log(`FAULT  ${fault}`)
    console.log(
      faults.length === 0 ? 'Nothing is lost, repeated or out of order.' : `${faults.length} faults.`,
    )
    process.exitCode = faults.length === 0 ? 0 : 1
  } finally {
    for (const server of servers) await server.stop()
    for (const database of databases) await database.stop()
    await rm(place, { recursive: true, force: true })
  }
}

/** The same for both servers. */
const secret = 'a secret of the drill, as long as secrets have to be'

async function startDatabase(dataDir: string): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { mode: 0o700 })
  return startEmbeddedPostgres({ dataDir, log: () => {}, settings: { max_connections: '100' } })
}

async function startNode(data: string, environment: NodeJS.ProcessEnv): Promise<RunningServer> {
  await mkdir(data, { mode: 0o700 })
  const port = await freePort()
  return serve(port, { ...serverEnvironment(port, data), ...environment, ROOKERY_DATABASE_CONNECTIONS: '10' })
}

/** Returns what went wrong. */
async function carryOut(
  servers: RunningServer[],
  organization: Organization,
  { rate, moves }: { rate: number; moves: number },
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const ports = servers.map(({ port }) => port)
  const listeners = await Promise.all(
    ports.flatMap((port, i) =>
      [true, false].map((isStream, j) => Listener.begin(port, organization, 2 * i + j, isStream)),
    ),
  )
  const sends = steadySends(ports, organization, rate)
  const readers = ports.map((port) => new PageReader(port, organization))
  for (let i = 0; i < moves; i++) {
    await sleep(i === 0 ? 3_000 : (logLimits.moveBackSeconds + 1) * 1_000)
    const to = i % 2 === 0 ? 'second' : 'main'
    const said = await runCommand(['realm', 'move', '-', '--to', to], environment)
    console.log(said)
  }
  await sleep(3_000)
  const sent = (await sends.stop()).toSorted((a, b) => a.id - b.id)
  for (const listener of listeners) await listener.stop(sent.length)
  report(
    'sends',
    sent.map(({ latency }) => latency),
  )
  for (const listener of listeners) report(listener.name, listener.delays(sent))
  const faults = listeners.flatMap((listener) => listener.faults(sent))
  for (const reader of readers) {
    await reader.stop()
    report(reader.name, reader.latencies)
    faults.push(...reader.faults(sent))
  }
  return faults
}

function report(what: string, milliseconds: number[]) {
  console.log(`${what.padEnd(20)}${String(milliseconds.length).padStart(6)}  ${delays(milliseconds)}`)
}

await main()
