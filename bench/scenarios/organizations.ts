import { setTimeout as sleep } from 'node:timers/promises'
import { Bench, type Result, type RunOptions, seeded } from '../bench.ts'
import type { Finding } from '../budgets.ts'
import type { DatabaseServer } from '../database.ts'
import { type Row, rowOf, type Slice } from '../measure.ts'
import { as, inTurn, rounds, sendTo } from '../operations.ts'
import { cpuTimeOfTree, residentBytes } from '../processes.ts'
import { rawRequest } from '../raw-client.ts'
import { type Organization, seed } from '../seed.ts'
import { copyOrganization, hostOf, publicUrl, smallSize } from '../seed-organizations.ts'

const counts = [100, 1_000, 10_000, 100_000]

/** How many are busy at most: of fewer, a tenth. */
const busyAtMost = 1_000
/** Organizations that are asked for the first time. */
const loadedAtMost = 200
/** Longer than twice the pause between the looks at idle queues. */
const idleSeconds = 45
const connections = 8

/** Measures the cost of organizations that nobody uses, and of those that are in use beside them. */
export async function measureOrganizations(
  database: DatabaseServer,
  options: RunOptions,
  say: (text: string) => void,
): Promise<Result> {
  const databaseUrl = await database.create(seeded)
  const organization = await seed(databaseUrl, smallSize)
  const results: Result[] = []
  for (const count of counts) {
    const begun = performance.now()
    await copyOrganization(databaseUrl, organization, count)
    say(`There are ${count} organizations, after ${((performance.now() - begun) / 1000).toFixed(0)} s.`)
    results.push(await measureAmong(count, database, organization, { ...options, databaseUrl }))
  }
  await database.drop(seeded)
  const rows = results.flatMap((result) => result.rows)
  const names = [...new Set(rows.map(({ what }) => kindOf(what)))]
  return {
    rows: names.flatMap((name) => rows.filter(({ what }) => kindOf(what) === name)),
    findings: results.flatMap(({ findings }) => findings),
  }
}

function kindOf(what: string) {
  return what.slice(0, what.lastIndexOf(', '))
}

async function measureAmong(
  count: number,
  database: DatabaseServer,
  organization: Organization,
  options: RunOptions & { databaseUrl: string },
): Promise<Result> {
  const begun = performance.now()
  const name = `organizations-${count}`
  const environment = { ROOKERY_URL: publicUrl }
  const bench = await Bench.open(database, organization, { ...options, name, environment })
  try {
    const started = (performance.now() - begun) / 1000
    const cpu = cpuTimeOfTree(bench.server.pid)
    const { rows, findings } = await new Measurement(bench, count).run()
    const of = (what: string) => `${what}, ${count.toLocaleString('en')} organizations`
    const start = [{ what: 'start, until it answers', value: started, unit: 's' }]
    if (cpu) start.push({ what: 'start, of the processor', value: cpu.server, unit: 's' })
    return {
      rows: rows.map((row) => ({ ...row, what: of(row.what) })),
      findings: [...start, ...findings].map((finding) => ({ ...finding, what: of(finding.what) })),
    }
  } finally {
    await bench.close()
  }
}

class Measurement {
  private readonly bench: Bench
  private readonly busy: number[]
  private readonly others: number[]

  constructor(bench: Bench, count: number) {
    this.bench = bench
    const numbers = Array.from({ length: count - 1 }, (_, n) => n + 2)
    const busy = Math.min(busyAtMost, count / 10)
    this.busy = numbers.slice(0, busy)
    this.others = numbers.slice(busy, busy + loadedAtMost)
  }

  async run(): Promise<Result> {
    const idle = await this.whileIdle()
    const atRest = this.memory()
    const first = await this.askEach(this.others)
    const before = this.memory()
    await this.askEach(this.busy)
    const after = this.memory()
    const again = await this.askEach(this.busy)
    const sends = await inTurn(rounds, () => this.send())
    const besideBusy = await this.whileIdle()
    return {
      rows: [
        perSecond('a second at rest', idle),
        perSecond('a second with busy ones in memory', besideBusy),
        rowOf('first request to one', first),
        rowOf('the same again', again),
        rowOf('send to a busy one', sends),
      ],
      findings: [
        { what: 'memory at rest', value: atRest, unit: 'MB' },
        { what: 'memory of a loaded one', value: ((after - before) / this.busy.length) * 1000, unit: 'kB' },
        { what: 'memory with the busy ones', value: this.memory(), unit: 'MB' },
      ] satisfies Finding[],
    }
  }

  private memory() {
    return residentBytes(this.bench.server.pid) / 1e6
  }

  private async whileIdle(): Promise<Slice> {
    await sleep(2_000)
    return this.bench.withCpuTime(async () => {
      await sleep(idleSeconds * 1000)
      return { count: idleSeconds, seconds: idleSeconds, latencies: [] }
    })
  }

  /** One request to each, one after the other. */
  private askEach(numbers: number[]): Promise<Slice[]> {
    const script = numbers.map((number) => rawRequest('GET', '/api/v1/users/me', this.headers(number, 0)))
    const { port } = this.bench.server
    return inTurn(1, () =>
      this.bench.withCpuTime(() => this.bench.load.do('once', { port, scripts: [script] })),
    )
  }

  private send(): Promise<Slice> {
    const scripts = Array.from({ length: connections }, (_, i) =>
      this.busy
        .filter((number) => number % connections === i)
        .map((number) =>
          sendTo(this.headers(number, number % smallSize.users), this.bench.organization.large, number),
        ),
    )
    const { server, slice, load } = this.bench
    const used = scripts.filter((script) => script.length > 0)
    const plan = { port: server.port, seconds: 4 * slice, scripts: used }
    return this.bench.withCpuTime(() => load.do('requests', plan))
  }

  private headers(number: number, user: number) {
    return { ...as(this.bench, user), host: hostOf(number) }
  }
}

/** Returns the cost of a second. */
function perSecond(what: string, slice: Slice): Row {
  const { server, postgres } = rowOf(what, [slice])
  return { what, ...(server !== undefined && { server }), ...(postgres !== undefined && { postgres }) }
}
