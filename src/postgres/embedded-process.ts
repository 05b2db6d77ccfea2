import type { ChildProcess } from 'node:child_process'
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { repeatEvery } from '../lib/async/repeat-every.ts'
import { codeOf, messageOf } from '../lib/errors.ts'
import { giveToOwnerOf } from '../lib/files/ownership.ts'
import { guard, ignore } from '../lib/guard.ts'
import { clusterArgument, databaseUser } from './embedded-cluster.ts'
import { type Programs, spawnProgram } from './embedded-programs.ts'
import { postgresLimits } from './limits.ts'
import { waitUntil } from './processes.ts'

/** Takes a sentence for the log; without a level, it is information. */
export type StartLog = (line: string, level?: 'warn' | 'error') => void

/** A PostgreSQL that accepts connections. */
export interface PostgresProcess {
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Whether this start created the database. */
  readonly fresh: boolean
  /** Fast shutdown: sessions are ended and everything is written. Immediate, then by force, if it takes too long. */
  stop(): Promise<void>
}

export interface Launch {
  readonly programs: Programs
  readonly cluster: string
  readonly socketDirectory: string
  readonly settings: Record<string, string>
  readonly log: StartLog
  /** Ends a start that is under way. */
  readonly signal: AbortSignal
}

/** Fast, immediate and by force, and how long each may take, in milliseconds. */
const shutdowns = [
  { name: 'SIGINT', patience: 10_000 },
  { name: 'SIGQUIT', patience: 6_000 },
  { name: 'SIGKILL', patience: 2_000 },
] as const

/** Returns the path of PostgreSQL's own log. */
export function logFileOf({ cluster }: Pick<Launch, 'cluster'>): string {
  return join(dirname(cluster), 'postgres.log')
}

/** Starts PostgreSQL on a cluster that no other process uses and waits until the database answers. */
export async function launchPostgres(launch: Launch): Promise<PostgresProcess> {
  const logFile = logFileOf(launch)
  await boundLog(logFile)
  const logStart = (await stat(logFile).catch(() => undefined))?.size ?? 0
  const child = await spawnServer(launch, logFile)
  const exited = ending(child)
  try {
    const fresh = await waitUntilReady(launch, child)
    const bounding = repeatEvery(3_600, () => boundLog(logFile))
    void exited.then(() => bounding.close())
    return { exited, fresh, stop: () => stopPostgres(child) }
  } catch (error) {
    if (isRunning(child) || launch.signal.aborted) {
      await stopPostgres(child)
      throw error
    }
    const reason = (await lastComplaint(logFile, logStart)) ?? messageOf(error)
    throw new Error(`PostgreSQL could not start: ${reason} (see ${logFile}).`)
  }
}

async function spawnServer(launch: Launch, logFile: string): Promise<ChildProcess> {
  const output = await open(logFile, 'a', 0o600)
  await giveToOwnerOf(dirname(logFile), logFile)
  try {
    return spawnProgram(launch.programs, 'postgres', serverArguments(launch), {
      cwd: launch.cluster,
      // A session of its own: Ctrl-C in a terminal reaches the server, which then stops PostgreSQL in good order.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
  } finally {
    await output.close()
  }
}

function ending(child: ChildProcess): Promise<number | null> {
  // A server that ends without having stopped its PostgreSQL at least signals it to stop.
  const farewell = guard(ignore, () => child.kill('SIGINT'))
  process.once('exit', farewell)
  return new Promise((resolve) => {
    const end = guard(ignore, (code: unknown) => {
      process.off('exit', farewell)
      resolve(typeof code === 'number' ? code : null)
    })
    child.once('error', end).once('exit', end)
  })
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** Returns the URL of a database behind this socket. */
export function databaseUrl(socketDirectory: string, database: string): string {
  return `postgresql://${databaseUser}@/${database}?host=${encodeURIComponent(socketDirectory)}`
}

function serverArguments({ programs, cluster, socketDirectory, settings }: Launch): string[] {
  const all = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${socketDirectory}"`,
    unix_socket_permissions: '0700',
    ...settings,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', clusterArgument(cluster, programs), ...options]
}

/**
 * Returns whether the database had to be created. Recovery after a crash may take minutes, so there is no time limit.
 */
async function waitUntilReady(launch: Launch, child: ChildProcess): Promise<boolean> {
  const since = performance.now()
  let told = 0
  for (;;) {
    launch.signal.throwIfAborted()
    if (!isRunning(child)) throw new Error('it ended immediately')
    try {
      await run(databaseUrl(launch.socketDirectory, 'rookery'), 'SELECT')
      return false
    } catch (error) {
      if (isMissingDatabase(error)) {
        await run(databaseUrl(launch.socketDirectory, 'postgres'), 'CREATE DATABASE rookery')
        return true
      }
      if (!isNotYetReady(error)) throw error
    }
    const seconds = Math.floor((performance.now() - since) / 10_000) * 10
    if (seconds > told) launch.log(`PostgreSQL is still recovering, ${seconds} s so far.`)
    told = seconds
    await sleep(15)
  }
}

function isMissingDatabase(error: unknown): boolean {
  return codeOf(error) === '3D000'
}

/**
 * Whether there is no socket, no listener, a lost connection, or a server that says that it is starting or stopping.
 */
function isNotYetReady(error: unknown): boolean {
  const code = codeOf(error)
  if (!code) return messageOf(error).includes('terminated')
  return ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code) || code.startsWith('57P')
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', ignore)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

async function stopPostgres(child: ChildProcess): Promise<void> {
  for (const { name, patience } of shutdowns) {
    if (!isRunning(child)) return
    child.kill(name)
    await waitUntil(() => !isRunning(child), patience)
  }
}

/** Returns the last line in which PostgreSQL says why it ends. */
async function lastComplaint(logFile: string, from: number): Promise<string | undefined> {
  const text = (await readFile(logFile)).subarray(from).toString()
  // Not what it said to us while it came up.
  const complaints = [...text.matchAll(/(?:FATAL|PANIC): {2}(?!the database system is )(.*)/g)]
  return complaints.at(-1)?.[1] || text.trim().split('\n').at(-1) || undefined
}

/** PostgreSQL writes at the end of whatever the file holds, so it can be emptied under it. */
async function boundLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size < postgresLimits.logBytes) return
  await rm(`${logFile}.1`, { force: true })
  await copyFile(logFile, `${logFile}.1`)
  await truncate(logFile)
}
