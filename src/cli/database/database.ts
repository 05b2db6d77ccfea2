import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { allUrls } from '../../db/databases.ts'
import { beginEpochsOfCopy } from '../../db/epoch.ts'
import { checkIsNotNewer, migrate, migrationGap } from '../../db/migrate.ts'
import { noteStart } from '../../db/start-marker.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { mainDatabase } from '../../lib/main-database.ts'
import { must } from '../../lib/must.ts'
import { workshopIn } from '../../postgres/cluster-restore.ts'
import {
  directoryInUse,
  isCopyOfUsed,
  isHeldByCommand,
  lockDataDirectory,
  type Taker,
} from '../../postgres/data-directory.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded.ts'
import { hasCluster } from '../../postgres/embedded-cluster.ts'
import type { StartLog as Log } from '../../postgres/embedded-process.ts'
import { cliLimits } from '../limits.ts'
import { lastSettingsFile } from '../server-settings.ts'
import {
  type DatabaseFault,
  encodingFault,
  lettersFault,
  poolerFault,
  rightsFault,
  sentenceOf,
  serverFacts,
  versionFault,
} from './database-faults.ts'
import { checkDiffer, checkPlaces } from './database-places.ts'
import { withClient } from './with-client.ts'

type OpenDatabase = { url: string; close(): Promise<void> }

/**
 * Opens the database for a server, and applies missing migrations: that of DATABASE_URL, or our own in the data
 * directory, started for this server alone. Waits while a command has the data directory, as a backup beside a stopped
 * server. Throws one sentence if it cannot be used.
 */
export async function openDatabase(config: Config, log: Log, signal: AbortSignal): Promise<OpenDatabase> {
  for (let tries = 0; ; tries++) {
    try {
      return await openFor('server', config, log)
    } catch (error) {
      if (!isHeldByCommand(error)) throw error
      if (tries === 0) log(`${messageOf(error)} It is a command; the server starts when it has ended.`)
      await sleep(cliLimits.commandWaitMilliseconds, undefined, { signal })
    }
  }
}

async function openFor(taker: Taker, config: Config, log: Log): Promise<OpenDatabase> {
  await checkIsRestored(config)
  const lost = taker === 'server' ? await lostFault(config) : undefined
  if (lost) throw new Error(sentenceOf(lost))
  const open = config.databaseUrl === undefined ? startOwn : useGiven
  const opened = await open(config, log, taker)
  return orClose(opened, async () => {
    await checkServers(config, opened.url, log)
    await inEach(config, opened.url, async (_, url) => {
      await migrate(url, (applied) => log(`The migration ${applied.name} took ${applied.milliseconds} ms.`))
    })
    // Do this before the starts are recorded: if two names were exchanged, each database would seem to have gone back
    // in time.
    await checkPlaces(urlsOf(config, opened.url))
    await inEach(config, opened.url, async (name, url) => {
      if (await recordStart(config, name, url)) {
        log(
          'The database is not the one of the last start, or an older copy of it: all clients register anew.',
          'warn',
        )
      }
    })
  })
}

/**
 * Returns a fault if an interrupted restore has put files into the data directory, but not the database that belongs to
 * them.
 */
export async function restoreFault(config: Config): Promise<DatabaseFault | undefined> {
  const { dataDirectory, databaseUrl } = config
  const unfinished = workshopIn(dataDirectory)
  if (!existsSync(unfinished) || (databaseUrl === undefined && (await hasOwn(config)))) return undefined
  return {
    what: `a restore into ${dataDirectory} has not finished`,
    advice: `Run rookery restore again, or delete ${unfinished} to start without it.`,
  }
}

/**
 * Returns a fault if a server has run with its own database in the data directory, and that is missing, as after half a copy or
 * where its disk is not mounted: a server would begin with an empty one. `rookery import` fills a new one.
 */
export async function lostFault(config: Config): Promise<DatabaseFault | undefined> {
  const { dataDirectory, databaseUrl } = config
  const left = lastSettingsFile(dataDirectory)
  if (databaseUrl !== undefined || !existsSync(left) || (await hasOwn(config))) return undefined
  return {
    what: `the database in ${join(dataDirectory, 'postgres')} is lost, which the last server here used`,
    advice: `Put it back, or restore a backup into an empty directory. To begin with an empty database, delete ${left}.`,
  }
}

async function checkIsRestored(config: Config): Promise<void> {
  const fault = await restoreFault(config)
  if (fault) throw new Error(sentenceOf(fault))
}

/** Does the work in each database. An error names the database, unless it is the main one. */
async function inEach(config: Config, mainUrl: string, work: (name: string, url: string) => Promise<void>) {
  for (const [name, url] of urlsOf(config, mainUrl)) {
    await work(name, url).catch((error) => {
      throw name === mainDatabase
        ? error
        : new Error(`Database ${name}: ${messageOf(error)}`, { cause: error })
    })
  }
}

function urlsOf(config: Config, databaseUrl: string): Map<string, string> {
  return allUrls({ ...config, databaseUrl })
}

/**
 * Records the start, and begins new epochs if the database is not the one of the last start: an older copy was restored, or it was moved.
 * Returns whether that was so.
 */
function recordStart({ dataDirectory, databaseUrl }: Config, name: string, url: string): Promise<boolean> {
  const isMain = name === mainDatabase
  const isOwn = isMain && databaseUrl === undefined
  const folder = isMain ? 'starts' : `starts-${name}`
  return withClient(url, async (client) => {
    const isMoved = await beginEpochsOfCopy(client)
    return (await noteStart(client, dataDirectory, isOwn, folder)) || isMoved
  })
}

/**
 * Opens the database for a command, whether or not a server uses it. Throws one sentence if there is none yet, or if it
 * needs migrations, which only a server applies.
 */
export async function joinDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  const reached = await reachDatabase(config, log)
  return orClose(reached, async () => {
    await checkServers(config, reached.url, log)
    await inEach(config, reached.url, async (_, url) => {
      const { missing, unknown } = await withClient(url, migrationGap)
      checkIsNotNewer(unknown)
      if (missing.length === 0) return
      throw new Error(
        'The database is older than this version of Rookery: start the server, which updates it.',
      )
    })
    await checkPlaces(urlsOf(config, reached.url))
  })
}

/** Opens the database for a command that fills it: the existing one, or a new one. */
export async function databaseToFill(config: Config, log: Log): Promise<OpenDatabase> {
  return (await isThere(config, log)) ? joinDatabase(config, log) : openFor('command', config, log)
}

async function isThere(config: Config, log: Log): Promise<boolean> {
  if (config.databaseUrl === undefined && !(await hasOwn(config))) return false
  const { url, close } = await reachDatabase(config, log)
  return withClient(url, async (client) => !(await isUnfinished(client))).finally(close)
}

/** Whether a first start or an import was interrupted before the database had all tables, or has not begun. */
async function isUnfinished(client: pg.Client): Promise<boolean> {
  const fault = await rightsFault(client)
  if (fault) throw new Error(sentenceOf(fault))
  const { missing, isNew } = await migrationGap(client)
  if (isNew || missing.length === 0) return isNew
  const { rowCount } = await client.query('SELECT FROM realm LIMIT 1')
  return rowCount === 0
}

/** Returns the database unchecked; our own is started if no server runs on it, but never created. */
export async function reachDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, close: async () => {} }
  const { url, fault } = await runningOwn(config.dataDirectory)
  if (url) return { url, close: async () => {} }
  if (!(await hasOwn(config))) {
    await checkIsRestored(config)
    throw new Error(
      `There is no database in ${config.dataDirectory} yet: the first start of the server makes it. If the server has its data elsewhere, name that directory with --data.`,
    )
  }
  return startOwn(config, log, 'command').catch((error) => {
    if (!fault || codeOf(error) !== directoryInUse) throw error
    const file = join(config.dataDirectory, 'postgres.url')
    throw new Error(`${error.message} ${fault} Its address is in ${file}.`, { cause: error })
  })
}

/** Whether there is a database of our own in the data directory. */
export function hasOwn({ dataDirectory }: Config): Promise<boolean> {
  return hasCluster(join(dataDirectory, 'postgres'))
}

/** Connections of our own PostgreSQL: for the server, and for commands, backups and a psql beside it. */
const fewestConnections = 60

async function startOwn(config: Config, log: Log, taker: Taker): Promise<OpenDatabase> {
  const { dataDirectory: dataDir, databaseConnections, workers } = config
  const needed = databaseConnections * workers + 20
  const settings = { max_connections: String(Math.max(fewestConnections, needed)) }
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings, taker })
  return { url: postgres.url, close: () => postgres.stop() }
}

// The directory holds more than the database, so it is not shared between servers even then.
async function useGiven(config: Config, log: Log, taker: Taker): Promise<OpenDatabase> {
  const lock = await lockDataDirectory(config.dataDirectory, 'data directory', taker)
  const url = must(config.databaseUrl, 'address of a database')
  await untilStarted(url, log).catch(async (error) => {
    await lock.release()
    throw error
  })
  return { url, close: () => lock.release() }
}

/** Waits while the database says that it is starting, as after a crash: it and the server may begin at the same time. */
async function untilStarted(url: string, log: Log): Promise<void> {
  const end = performance.now() + cliLimits.databaseStartSeconds * 1000
  for (let tries = 0; ; tries++) {
    try {
      return await withClient(url, async () => {})
    } catch (error) {
      const code = codeOf(error instanceof Error && error.cause)
      if (code !== startingUp || performance.now() > end) throw error
      if (tries === 0) log('The database is starting; waiting for it.')
      await sleep(100)
    }
  }
}

/** PostgreSQL's error code cannot_connect_now. */
const startingUp = '57P03'

/** Returns the address of our own PostgreSQL if a server beside us runs it, or why it cannot be reached there. */
async function runningOwn(dataDirectory: string): Promise<{ url?: string; fault?: string }> {
  if (isCopyOfUsed(dataDirectory)) return {}
  const url = (await readFile(join(dataDirectory, 'postgres.url'), 'utf8').catch(() => '')).trim()
  if (!url) return {}
  return withClient(url, async () => ({ url })).catch((error) => ({ fault: messageOf(error) }))
}

async function checkServers(config: Config, mainUrl: string, log: Log) {
  await inEach(config, mainUrl, (name, url) => checkServer(config, name, url, log))
  await checkDiffer(urlsOf(config, mainUrl))
}

/**
 * Throws if the server cannot work with the database. A new database whose locale cannot lower-case all letters is
 * refused; an existing one only causes a line in the log.
 */
async function checkServer({ databaseUrl }: Config, name: string, url: string, log: Log) {
  const isOwn = name === mainDatabase && databaseUrl === undefined
  await withClient(url, async (client) => {
    const pooler = isOwn ? undefined : await poolerFault(url)
    const facts = await serverFacts(client)
    const fault = pooler ?? versionFault(facts) ?? encodingFault(facts) ?? (await rightsFault(client))
    if (fault) throw new Error(sentenceOf(fault))
    const letters = lettersFault(facts)
    if (!letters) return
    if ((await migrationGap(client)).isNew) throw new Error(sentenceOf(letters))
    log(sentenceOf(letters), 'warn')
  })
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
