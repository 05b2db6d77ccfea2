import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '../lib/errors.ts'
import { clusterVersion, clusterVersionHere } from './cluster-version.ts'
import { lockDataDirectory, type Taker } from './data-directory.ts'
import { type Account, ownName, systemAccountFor } from './embedded-account.ts'
import { configureCluster, createCluster, hasCluster, unfinishedCluster } from './embedded-cluster.ts'
import { endLeftovers, removeSocketDirectory } from './embedded-leftovers.ts'
import {
  databaseUrl,
  type Launch,
  launchPostgres,
  logFileOf,
  type PostgresProcess,
  type StartLog,
} from './embedded-process.ts'
import { findPrograms } from './embedded-programs.ts'

interface EmbeddedOptions {
  dataDir: string
  /** Receives one sentence for each event that an admin should know. */
  log: StartLog
  /** PostgreSQL settings that go before all others, such as `{ fsync: 'off' }` for a test. */
  settings?: Record<string, string>
  /** Who starts it. */
  taker?: Taker
}

export interface EmbeddedPostgres {
  /** Works with `pg` and `psql` for the user who runs the server, and for root; also after PostgreSQL was restarted. */
  readonly url: string
  /** Whether the database was made by this start. */
  readonly fresh: boolean
  /** When the PostgreSQL that runs now ends: its exit code, null if a signal ended it. */
  readonly exited: Promise<number | null>
  /** Stops PostgreSQL and frees the data directory. May be called again. */
  stop(): Promise<void>
}

/**
 * Starts the server's own PostgreSQL in a data directory, made if missing. It holds the directory until `stop`, listens
 * on a socket that only this user can reach, and is started again whenever it ends by itself.
 * Rejects with one sentence if the directory is in use or PostgreSQL cannot run.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new Error('On Windows the server does not bring its own PostgreSQL: set DATABASE_URL, or use WSL.')
  }
  const lock = await lockDataDirectory(options.dataDir, 'data directory', options.taker)
  try {
    return await start(options, () => lock.release())
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function start(options: EmbeddedOptions, release: () => Promise<void>): Promise<EmbeddedPostgres> {
  const { log, settings = {} } = options
  const dataDir = resolve(options.dataDir)
  const cluster = join(dataDir, 'postgres')
  ownName()
  const account = await systemAccountFor(cluster)
  const programs = await findPrograms({ account, dataDir, log })
  for (const place of [cluster, unfinishedCluster(cluster)]) await endLeftovers(place, log)
  if (await hasCluster(cluster)) await checkVersion(cluster)
  else {
    log(`Creating the database in ${cluster}.`)
    await createCluster(cluster, programs)
  }
  await configureCluster(cluster, programs)
  const urlFile = join(dataDir, 'postgres.url')
  const socketDirectory = await newSocketDirectory(urlFile, account)
  const cleanUp = async () => {
    await removeSocketDirectory(socketDirectory)
    await rm(urlFile, { force: true })
  }
  const stopping = new AbortController()
  const launch: Launch = { programs, cluster, socketDirectory, settings, log, signal: stopping.signal }
  const first = await launchPostgres(launch).catch(async (error) => {
    await cleanUp()
    throw error
  })
  const url = databaseUrl(socketDirectory, 'rookery')
  const kept = keepRunning(first, launch, stopping)
  let stopped: Promise<void> | undefined
  return {
    url,
    fresh: first.fresh,
    get exited() {
      return kept.exited
    },
    stop() {
      stopped ??= kept.stop().then(cleanUp).finally(release)
      return stopped
    },
  }
}

/** PostgreSQL reads the files of its own major version only. Throws what to do if this is another one. */
async function checkVersion(cluster: string): Promise<void> {
  const [version, own] = [await clusterVersion(cluster), clusterVersionHere()]
  if (version === own) return
  throw new Error(
    `The database in ${cluster} is of PostgreSQL ${version}, and this version of Rookery brings PostgreSQL ${own}. ` +
      'Start the version of before, run rookery export FILE for each organization (rookery realm list), and stop it. ' +
      `Then move ${cluster} away, and run rookery import FILE for each of them with this version.`,
  )
}

/**
 * A directory with a short path (that of a socket may have a hundred bytes) that only PostgreSQL's user and root enter.
 * Its URL is written to a file: for `psql "$(cat data/postgres.url)"`, and for the next start to find what a kill left.
 */
async function newSocketDirectory(urlFile: string, account: Account | undefined): Promise<string> {
  const old = await readFile(urlFile, 'utf8').catch(() => '')
  if (URL.canParse(old.replace('@/', '@localhost/'))) {
    const directory = new URL(old.replace('@/', '@localhost/')).searchParams.get('host')
    if (directory) await removeSocketDirectory(directory)
  }
  const directory = await makeShort(account ? ['/run', '/tmp', tmpdir()] : [tmpdir(), '/tmp'])
  if (account) await chown(directory, account.uid, account.gid)
  await rm(urlFile, { force: true })
  await writeFile(urlFile, `${databaseUrl(directory, 'rookery')}\n`, { mode: 0o600, flag: 'wx' })
  return directory
}

async function makeShort(parents: string[]): Promise<string> {
  for (const parent of parents) {
    if (Buffer.byteLength(parent) > 70) continue
    const made = await mkdtemp(join(parent, 'rookery-')).catch(() => undefined)
    if (made) return made
  }
  throw new Error(`A directory for PostgreSQL's socket can be made neither in ${parents.join(' nor in ')}.`)
}

/** Starts PostgreSQL again whenever it ends, waiting longer each time, until it is told to stop. */
function keepRunning(first: PostgresProcess, launch: Launch, stopping: AbortController) {
  let current = first
  let pause = shortestPause
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const since = performance.now()
      const code = await current.exited
      if (stopping.signal.aborted) return
      const how = code === null ? 'by a signal' : `with status ${code}`
      launch.log(
        `PostgreSQL ended unexpectedly, ${how}; it is started again. ${logFileOf(launch)} may say why.`,
        'error',
      )
      pause = performance.now() - since > 60_000 ? shortestPause : longer(pause)
      const next = await startAgain(launch, pause)
      if (!next) return
      current = next
      launch.log('PostgreSQL is back.')
    }
  })()
  return {
    get exited() {
      return current.exited
    },
    async stop() {
      stopping.abort()
      await current.stop()
      await watching
      // One that came up while it was told to stop.
      await current.stop()
    },
  }
}

async function startAgain(launch: Launch, pause: number): Promise<PostgresProcess | undefined> {
  for (let wait = pause; ; wait = longer(wait)) {
    await sleep(wait, undefined, { signal: launch.signal }).catch(() => {})
    if (launch.signal.aborted) return undefined
    try {
      await endLeftovers(launch.cluster, launch.log)
      await restoreSocketDirectory(launch)
      return await launchPostgres(launch)
    } catch (error) {
      if (!launch.signal.aborted) launch.log(messageOf(error), 'error')
    }
  }
}

/** Something may have tidied it away meanwhile. */
async function restoreSocketDirectory({ socketDirectory, programs: { account } }: Launch): Promise<void> {
  try {
    await mkdir(socketDirectory, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    throw error
  }
  if (account) await chown(socketDirectory, account.uid, account.gid)
}

/** Milliseconds before PostgreSQL is started again. */
const shortestPause = 50

function longer(pause: number): number {
  return Math.min(pause * 2, 10_000)
}
