import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Bench, type Result, type RunOptions, seeded } from '../bench.ts'
import type { Finding } from '../budgets.ts'
import type { DatabaseServer } from '../database.ts'
import { type Row, rowOf, type Slice } from '../measure.ts'
import {
  as,
  newestOf,
  type Operation,
  operations,
  registration,
  sendTo,
  withoutUsers,
  zipped,
} from '../operations.ts'
import { cpuTimeOfTree, residentBytes } from '../processes.ts'
import { RawConnection } from '../raw-client.ts'
import { type Size, seed } from '../seed.ts'
import { type RunningServer, startServer } from '../server.ts'
import { parkQueues, sendToWaiting, whileWaiting } from '../waiting.ts'

const parked = 20_000
const waitingAtMost = 10_000
/** Files that a process needs besides connections of clients. */
const otherFiles = 1_000
const missed = 2_000
const connections = 8

const sizeWith = (messages: number): Size => ({
  users: 100_000,
  channels: 10_000,
  subscriptionsPerUser: 10,
  smallChannel: 10,
  messages,
  unread: 500,
  newcomers: 10,
  channelsOfReader: 10,
})

const done = [
  operations.registerMessages,
  operations.registerAll,
  operations.registerBare,
  operations.users,
  operations.permission,
  operations.pageOfChannel,
  operations.pageOfAll,
  operations.search,
  operations.searchInChannel,
  operations.presence,
  operations.subscribers,
  operations.sendToTen,
  operations.sendToAll,
  operations.subscribeOne,
  operations.subscribeThousand,
]

const states = {
  'without subscribers': {},
  'with subscribers': { include_subscribers: 'true' },
  'without subscribers and users': withoutUsers,
}

/** One organization of 100,000 people at two servers: work in it, a server that falls behind, and a server that is killed. */
export async function measureLarge(
  database: DatabaseServer,
  options: RunOptions & { messages: number },
  say: (text: string) => void,
): Promise<Result> {
  const size = sizeWith(options.messages)
  const databaseUrl = await database.create(seeded)
  const begun = performance.now()
  const organization = await seed(databaseUrl, size)
  say(`${size.messages} messages were made in ${secondsSince(begun).toFixed(0)} s.`)
  const bench = await Bench.open(database, organization, { ...options, name: 'large', databaseUrl })
  const simulation = new Simulation(bench, size, say)
  try {
    return await simulation.run()
  } finally {
    await simulation.close()
    await bench.close()
    await database.drop(seeded)
  }
}

class Simulation {
  private readonly bench: Bench
  private readonly size: Size
  private readonly say: (text: string) => void
  private readonly rows: Row[] = []
  private readonly findings: Finding[] = []
  private second: RunningServer | undefined
  private again: RunningServer | undefined

  constructor(bench: Bench, size: Size, say: (text: string) => void) {
    this.bench = bench
    this.size = size
    this.say = say
  }

  async run(): Promise<Result> {
    await this.starts()
    await this.attempt('sizes of states', () => this.sizes())
    for (const operation of done) await this.attempt(operation.what, () => this.measure(operation))
    this.note('memory of the first server after that', this.memory(this.bench.server), 'MB')
    await this.attempt('following', () => this.follow())
    await this.attempt('waiting', () => this.wait())
    await this.attempt('catching up', () => this.stopSecond())
    await this.attempt('a kill', () => this.killFirst())
    return { rows: this.rows, findings: this.findings }
  }

  /** The rest is measured also if this fails: to make the organization took long. */
  private async attempt(what: string, work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      this.say(`${what} failed: ${error instanceof Error ? error.message : error}`)
      this.note(`${what}, failed`, 1, 'times')
    }
  }

  async close() {
    await this.second?.stop()
    await this.again?.stop()
  }

  private async starts() {
    const { server, databaseUrl } = this.bench
    this.note('size of the database', (await bytesOf(databaseUrl)) / 1e9, 'GB')
    this.noteStart('first server', server)
    this.second = await this.timed('second server, start', () => startServer(databaseUrl, { data: 'second' }))
    this.noteStart('second server', this.second)
    this.note('memory of the first server after its start', this.memory(server), 'MB')
    this.note('memory of the second server after its start', this.memory(this.second), 'MB')
  }

  /** How large the state is that a client may ask for. */
  private async sizes() {
    for (const [what, wanted] of Object.entries(states)) {
      const plain = await this.bench.ask(registration(as(this.bench, 0), wanted))
      const short = await this.bench.ask(registration(zipped(as(this.bench, 0)), wanted))
      this.note(`state ${what}`, plain.body.length / 1e6, 'MB')
      this.note(`state ${what}, compressed`, short.body.length / 1e6, 'MB')
    }
  }

  /** Measures the second server's work for messages that are sent at the first one. */
  private async follow() {
    const second = this.second!
    const slice = await this.bench.withCpuTime(() => this.send(missed), second)
    this.row('a message at the second server, which follows', [slice])
    await this.untilThere(second, await this.newest(this.bench.server))
    this.note('memory of the second server after that', this.memory(second), 'MB')
  }

  private async wait() {
    const { bench } = this
    const queues = await parkQueues(bench, parked)
    this.note('memory of the first server with parked queues', this.memory(bench.server), 'MB')
    await this.measure(operations.sendToTen, `, ${parked.toLocaleString('en')} parked queues`)
    const waiting = Math.min(waitingAtMost, openFiles() - otherFiles)
    const before = this.memory(bench.server)
    await whileWaiting(bench, queues.slice(0, waiting), async (crowd) => {
      const name = `${waiting.toLocaleString('en')} who wait`
      this.row(`send to all, ${name}`, await sendToWaiting(bench, crowd))
      await this.measure(operations.sendToTen, `, ${name}`)
      this.note(`memory for each of ${name}`, ((this.memory(bench.server) - before) / waiting) * 1000, 'kB')
    })
  }

  private async stopSecond() {
    const second = this.second!
    process.kill(second.pid, 'SIGSTOP')
    await this.send(missed)
    const newest = await this.newest(this.bench.server)
    const slice = await this.bench.timed(async () => {
      process.kill(second.pid, 'SIGCONT')
      await this.untilThere(second, newest)
    }, second)
    this.row(`catching up after ${missed.toLocaleString('en')} messages`, [slice])
  }

  private async killFirst() {
    const { bench } = this
    const newest = await this.newest(bench.server)
    // Their connections end with the server.
    const sends = this.send(missed).catch(() => {})
    await sleep(1_000)
    await bench.server.kill()
    await sends
    this.again = await this.timed('first server, start after kill -9', () => startServer(bench.databaseUrl))
    this.noteStart('first server after kill -9', this.again)
    await this.untilThere(this.again, newest)
    for (const server of [this.again, this.second!]) await this.send(200, server)
    await this.untilThere(this.second!, await this.newest(this.again))
  }

  /** Sends at the first server: half to a small channel, half to all. */
  private async send(count: number, { port }: RunningServer = this.bench.server): Promise<Slice> {
    const { bench } = this
    const { small, large } = bench.organization
    const requests = Array.from({ length: count }, (_, i) =>
      sendTo(as(bench, i % this.size.smallChannel), i % 2 === 0 ? small : large, i),
    )
    const scripts = Array.from({ length: connections }, (_, k) =>
      requests.filter((_, i) => i % connections === k),
    )
    return bench.load.do('once', { port, scripts })
  }

  private newest(server: RunningServer): Promise<number> {
    return newestMessage(this.bench, server)
  }

  private async untilThere(server: RunningServer, id: number) {
    while ((await this.newest(server)) < id) await sleep(20)
  }

  private async measure({ what, measure }: Operation, where = '') {
    this.row(what + where, await measure({ bench: this.bench, size: this.size }))
  }

  private async timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const result = await work()
    this.note(what, secondsSince(begun), 's')
    return result
  }

  private noteStart(what: string, { pid }: RunningServer) {
    const cpu = cpuTimeOfTree(pid)
    if (cpu) this.note(`${what}, start, of the processor`, cpu.server, 's')
  }

  private memory({ pid }: RunningServer) {
    return residentBytes(pid) / 1e6
  }

  private row(what: string, slices: Slice[]) {
    this.rows.push(rowOf(what, slices))
    this.say(`${what}: measured`)
  }

  private note(what: string, value: number, unit: string) {
    this.findings.push({ what, value, unit })
  }
}

async function newestMessage(bench: Bench, { port }: RunningServer): Promise<number> {
  const connection = await RawConnection.open(port)
  const { status, body } = await connection.ask(newestOf(as(bench, 0)))
  connection.close()
  if (status !== 200) throw new Error(`answered ${status}: ${body.subarray(0, 500)}`)
  return JSON.parse(body.toString()).messages.at(-1).id
}

async function bytesOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT pg_database_size(current_database())::float8 AS bytes')
    return rows[0].bytes
  } finally {
    await client.end()
  }
}

/** How many files, and so connections, a process may have. */
function openFiles(): number {
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return Number(soft ?? 1_024)
}

function secondsSince(begun: number) {
  return (performance.now() - begun) / 1000
}
