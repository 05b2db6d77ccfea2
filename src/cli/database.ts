import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { lockDataDirectory } from '../db/data-directory.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import type { Config } from '../lib/config.ts'

export type OpenDatabase = { url: string; migrated: string[]; close(): Promise<void> }

/** The database that the configuration names: DATABASE_URL, or our own in the data directory, started for us alone. */
export async function openDatabase(config: Config, log: (line: string) => void): Promise<OpenDatabase> {
  const own = config.databaseUrl === undefined
  const opened = own ? await startOwn(config, log) : await useGiven(config)
  try {
    await checkVersion(opened.url)
    return { ...opened, migrated: await migrate(opened.url) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** The same, but beside a server that runs already if there is one. */
export async function joinDatabase(config: Config, log: (line: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) {
    const url = await runningOwn(config.dataDirectory)
    if (url) return { url, migrated: [], close: async () => {} }
    return openDatabase(config, log)
  }
  await checkVersion(config.databaseUrl)
  return { url: config.databaseUrl, migrated: await migrate(config.databaseUrl), close: async () => {} }
}

async function startOwn(config: Config, log: (line: string) => void) {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDirectory, log })
  return { url: postgres.url, close: () => postgres.stop() }
}

// The directory holds more than the database, so it is not shared between servers even then.
async function useGiven(config: Config) {
  const lock = await lockDataDirectory(config.dataDirectory)
  return { url: config.databaseUrl!, close: () => lock.release() }
}

async function runningOwn(dataDirectory: string): Promise<string | undefined> {
  const url = await readFile(join(dataDirectory, 'postgres.url'), 'utf8').catch(() => undefined)
  if (!url) return undefined
  const client = new pg.Client({ connectionString: url.trim() })
  try {
    await client.connect()
    return url.trim()
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

const oldestVersion = 15

async function checkVersion(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  const { rows } = await client.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  )
  await client.end()
  const version = rows[0]!.version
  if (Number.parseInt(version, 10) < oldestVersion) {
    throw new Error(`PostgreSQL ${oldestVersion} or newer is needed, but the database runs ${version}.`)
  }
}
