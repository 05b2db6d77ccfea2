import { mkdir, readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/postgres/embedded.ts'
import { nameOf, parentOf } from './processes.ts'

const runs = fileURLToPath(new URL('data/', import.meta.url))

/** Where this run keeps what it makes; git ignores it. It must be a real disk, or `fsync` would mean nothing. */
export const dataDirectory = `${runs}${process.pid}/`

/** The data directories of servers. */
export const serverDirectory = `${dataDirectory}servers/`

/** Makes the directory, and removes those of runs that could not clean up. */
export async function makeDataDirectory() {
  await mkdir(dataDirectory, { recursive: true })
  const ended = (await readdir(runs)).filter((name) => nameOf(Number(name)) === '')
  for (const name of ended) await rm(`${runs}${name}`, { recursive: true, force: true })
}

/** A PostgreSQL for the benchmark: the one that Rookery brings, or the server of BENCH_DATABASE_URL. */
export class DatabaseServer {
  readonly version: string
  /** Undefined if it runs on another machine. */
  readonly pid: number | undefined
  private readonly url: string
  private readonly shutDown: () => Promise<void>

  private constructor(
    url: string,
    facts: { version: string; pid: number | undefined },
    shutDown: () => Promise<void>,
  ) {
    this.url = url
    this.version = facts.version
    this.pid = facts.pid
    this.shutDown = shutDown
  }

  static async start(): Promise<DatabaseServer> {
    const given = process.env.BENCH_DATABASE_URL
    if (given) return new DatabaseServer(given, await inspect(given), async () => {})
    const dataDir = `${dataDirectory}postgres`
    await mkdir(dataDir, { recursive: true })
    const own = await startEmbeddedPostgres({ dataDir, log: () => {} })
    return new DatabaseServer(own.url, await inspect(own.url), () => own.stop())
  }

  /** Creates a database of this name anew: empty, or a copy of another one, which must have no connections. */
  async create(name: string, template?: string): Promise<string> {
    await this.drop(name)
    // A server whose directory knows another database takes this one for an older copy, and says so to the others on it.
    await rm(serverDirectory, { recursive: true, force: true })
    const copy = template ? ` TEMPLATE ${template} STRATEGY file_copy` : ''
    await withClient(this.url, (client) => client.query(`CREATE DATABASE ${name}${copy}`))
    return withDatabase(this.url, name)
  }

  async drop(name: string) {
    await withClient(this.url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  }

  stop() {
    return this.shutDown()
  }
}

async function inspect(url: string) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS sync, pg_backend_pid() AS pid`,
    )
    const { version, fsync, sync, pid } = rows[0]
    if (fsync !== 'on' || sync !== 'on')
      throw new Error('the benchmark needs fsync and synchronous_commit on')
    return { version, pid: /postgres/.test(nameOf(pid)) ? parentOf(pid) : undefined }
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The URL with another database; it may have no host (`postgresql://user@/name?host=/run/postgresql`). */
function withDatabase(url: string, name: string) {
  return url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}
