import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { lockDataDirectory } from '../db/data-directory.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { hasCluster } from '../db/embedded-cluster.ts'
import { migrate, migrations } from '../db/migrate.ts'
import type { Config } from '../lib/config.ts'

export type OpenDatabase = { url: string; close(): Promise<void> }

type Log = (line: string) => void

/**
 * For the server: the database that the configuration names, brought up to date. That is DATABASE_URL, or our own in
 * the data directory, started for us alone. Throws one sentence if it cannot be used.
 */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const opened = config.databaseUrl === undefined ? await startOwn(config, log) : await useGiven(config)
  return orClose(opened, async () => {
    await checkServer(opened.url)
    await migrate(opened.url)
  })
}

/**
 * For a command: the same database, whether a server runs on it or not. Throws one sentence if there is none yet, or if
 * it is not what this version works with: bringing it up to date is left to the server.
 */
export async function joinDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const reached = await reachDatabase(config, log)
  return orClose(reached, async () => {
    await checkServer(reached.url)
    const { missing, unknown } = await withClient(reached.url, migrationGap)
    if (unknown.length > 0) throw new Error('The database is newer than this version of Rookery: update it.')
    if (missing.length > 0) {
      throw new Error(
        'The database is older than this version of Rookery: start the server, which updates it.',
      )
    }
  })
}

/** For what fills a database: the one that there is, as for any command, or a new one. */
export async function databaseToFill(config: Config, log: Log): Promise<OpenDatabase> {
  const isThere =
    config.databaseUrl === undefined
      ? await hasOwn(config)
      : (await withClient(config.databaseUrl, migrationGap)).missing.length < (await migrations()).length
  return isThere ? joinDatabase(config, log) : openDatabase(config, log)
}

/** The database as it is found, unlooked at; our own is started if no server runs on it, but never made. */
export async function reachDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, close: async () => {} }
  const url = await runningOwn(config.dataDirectory)
  if (url) return { url, close: async () => {} }
  if (!(await hasOwn(config))) {
    throw new Error(
      `There is no database in ${config.dataDirectory} yet: the first start of the server makes it.`,
    )
  }
  return startForCommand(config, log)
}

/** Whether there is a database of our own in the data directory. */
export function hasOwn({ dataDirectory }: Config): Promise<boolean> {
  return hasCluster(join(dataDirectory, 'postgres'))
}

/** Asks the database something. Rejects with one sentence if it cannot be reached. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect().catch((error) => {
      throw new Error(`The database cannot be reached: ${reason(error)}.`, { cause: error })
    })
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The migrations that the database lacks, and those that it has and we do not know. */
export async function migrationGap(client: pg.Client): Promise<{ missing: string[]; unknown: string[] }> {
  const known = await migrations()
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('migration') IS NOT NULL AS exists",
  )
  const applied = rows[0]!.exists
    ? (await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name')).rows
    : []
  const names = applied.map((row) => row.name)
  return {
    missing: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
  }
}

export const oldestVersion = 15

async function startOwn(config: Config, log: Log): Promise<OpenDatabase> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDirectory, log })
  return { url: postgres.url, close: () => postgres.stop() }
}

// Whoever interrupts a command leaves no PostgreSQL behind: it is told to stop when the process exits.
async function startForCommand(config: Config, log: Log): Promise<OpenDatabase> {
  const leave = () => process.exit(130)
  process.once('SIGINT', leave).once('SIGTERM', leave)
  const { url, close } = await startOwn(config, log)
  return {
    url,
    async close() {
      await close()
      process.off('SIGINT', leave).off('SIGTERM', leave)
    },
  }
}

// The directory holds more than the database, so it is not shared between servers even then.
async function useGiven(config: Config): Promise<OpenDatabase> {
  const lock = await lockDataDirectory(config.dataDirectory)
  return { url: config.databaseUrl!, close: () => lock.release() }
}

/** The address of our own PostgreSQL if it runs: that of a server beside us. */
async function runningOwn(dataDirectory: string): Promise<string | undefined> {
  const url = await readFile(join(dataDirectory, 'postgres.url'), 'utf8').catch(() => '')
  if (!url) return undefined
  return withClient(url.trim(), async () => url.trim()).catch(() => undefined)
}

async function checkServer(url: string) {
  const { rows } = await withClient(url, (client) =>
    client.query<{ version: string; encoding: string }>(
      "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding",
    ),
  )
  const { version, encoding } = rows[0]!
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new Error(`PostgreSQL ${oldestVersion} or newer is needed, but the database runs ${version}.`)
  }
  if (encoding !== 'UTF8') throw new Error(`The database must be in UTF8, but is in ${encoding}.`)
}

async function orClose(opened: OpenDatabase, prepare: () => Promise<void>): Promise<OpenDatabase> {
  try {
    await prepare()
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

function reason(error: Error): string {
  // A name with several addresses fails once for each.
  return error instanceof AggregateError ? error.errors.map(reason).join(', ') : error.message
}
