import type { BareHttp } from './bare/http.ts'
import type { Finding } from './budgets.ts'
import type { DatabaseServer } from './database.ts'
import type { Load } from './load.ts'
import type { CpuTime, Row, Slice } from './measure.ts'
import { withCpuTime } from './processes.ts'
import { RawConnection, type RawResponse } from './raw-client.ts'
import type { Organization, Size } from './seed.ts'
import { type RunningServer, startServer } from './server.ts'
import { Worker } from './worker.ts'

export type RunOptions = {
  /** How long each figure is measured. */
  seconds: number
  /** A directory for processor profiles. */
  profile: string | undefined
}

/** What is to be measured, and what came of it. */
export type Scenario = {
  name: string
  title: string
  /** The organization it needs, if not the usual one. */
  size?: Size
  run(bench: Bench): Promise<Result>
}
export type Result = { rows: Row[]; findings: Finding[] }

/** The name of the database that each scenario gets a copy of. */
export const seeded = 'rookery_bench_seed'

/** What one scenario works with: a copy of the organization, the server on it, the load generator, a bare HTTP server. */
export class Bench {
  readonly organization: Organization
  readonly databaseUrl: string
  readonly server: RunningServer
  readonly load = new Worker<Load>('load.ts')
  readonly bareHttp = new Worker<BareHttp>('bare/http.ts')
  /** The number of slices in which each figure is measured. */
  readonly rounds: number
  /** The seconds of a slice. */
  readonly slice = 0.5
  /** Seconds until the server runs at its usual speed: its code is compiled as it is used. */
  readonly warmUp = 3
  private readonly database: DatabaseServer

  private constructor(
    parts: Pick<Bench, 'organization' | 'databaseUrl' | 'server' | 'rounds'>,
    database: DatabaseServer,
  ) {
    this.organization = parts.organization
    this.databaseUrl = parts.databaseUrl
    this.server = parts.server
    this.rounds = parts.rounds
    this.database = database
  }

  /** `databaseUrl`: the organization itself, which is not needed afterwards, in place of a copy. */
  static async open(
    database: DatabaseServer,
    organization: Organization,
    options: RunOptions & { name: string; databaseUrl?: string; environment?: NodeJS.ProcessEnv },
  ): Promise<Bench> {
    const databaseUrl = options.databaseUrl ?? (await database.create('rookery_bench', seeded))
    const profile = options.profile && `${options.profile}/${options.name}`
    const server = await startServer(databaseUrl, { profile, environment: options.environment ?? {} })
    const rounds = Math.max(3, Math.round(options.seconds * 2))
    return new Bench({ organization, databaseUrl, server, rounds }, database)
  }

  /** Sends one request and returns its response, which must be a success. */
  async ask(request: string, port = this.server.port): Promise<RawResponse> {
    const connection = await RawConnection.open(port)
    const response = await connection.ask(request)
    connection.close()
    if (response.status !== 200)
      throw new Error(`answered ${response.status}: ${response.body.subarray(0, 500)}`)
    return response
  }

  async close() {
    this.load.stop()
    this.bareHttp.stop()
    await this.server.stop()
    await this.database.drop('rookery_bench')
  }

  /** Does one piece of work as a slice of its own. */
  timed(work: () => Promise<unknown>, worker?: { pid: number }): Promise<Slice> {
    return this.withCpuTime(async () => {
      const start = performance.now()
      await work()
      const took = performance.now() - start
      return { count: 1, seconds: took / 1000, latencies: [took] }
    }, worker)
  }

  /** Runs work and measures the processor time that the server, or another process, and PostgreSQL took for it. */
  withCpuTime<T extends object>(
    work: () => Promise<T>,
    { pid }: { pid: number } = this.server,
  ): Promise<T & { cpu?: CpuTime }> {
    return withCpuTime({ server: pid, postgres: this.database.pid }, work)
  }
}
