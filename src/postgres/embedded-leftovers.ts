import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { lstat, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { processStart, signal, waitUntil } from './processes.ts'

/**
 * Ends any PostgreSQL that still runs on a cluster: the orphan of a server that was killed, or what a killed PostgreSQL
 * left behind. Stopping it is safer than using it: its settings and its socket may be old. Only the holder of the data
 * directory may call this. Throws if a process survives.
 */
export async function endLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const running = await processesOf(cluster)
  const postmaster = await recordedPostmaster(cluster)
  if (running.length > 0) {
    const inOrder = postmaster !== undefined && running.includes(postmaster)
    const who = inOrder ? postmaster : running.join(', ')
    log(`Stopping a PostgreSQL that was left running (process ${who}).`)
    if (inOrder) signal(postmaster, 'SIGINT')
    const rest = await survivors(cluster, running, inOrder ? 10_000 : 200)
    if (rest.length > 0) {
      throw new Error(
        `An earlier PostgreSQL still runs on ${cluster} (process ${rest.join(', ')}): end it first.`,
      )
    }
  }
  // Nothing runs, so the file is old. PostgreSQL would believe it if its number now belonged to another process.
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/**
 * Removes the directory of a socket without a listener. One with a running PostgreSQL stays: its address may stand in a
 * copy of the data directory.
 */
export async function removeSocketDirectory(directory: string): Promise<void> {
  if (!basename(directory).startsWith('rookery-')) return
  if (!(await lstat(directory).catch(() => undefined))?.isDirectory()) return
  if (isPostgres(await firstNumberIn(join(directory, '.s.PGSQL.5432.lock')))) return
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(directory, name), { force: true })
  await rmdir(directory).catch(() => {})
}

/** Waits for processes to go of themselves, then asks for an immediate shutdown, then kills. */
async function survivors(cluster: string, running: number[], patience: number): Promise<number[]> {
  let rest = running
  const gone = async () => {
    rest = await processesOf(cluster)
    return rest.length === 0
  }
  if (await waitUntil(gone, patience)) return []
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of rest) signal(pid, name)
    if (await waitUntil(gone, 5_000)) return []
  }
  return rest
}

/** PostgreSQL's processes that work in this cluster. */
async function processesOf(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return postmasterByName(cluster)
  const place = await stat(cluster).catch(() => undefined)
  if (!place) return []
  const numbers = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(
    numbers.map(async (pid) => {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      if (!['postgres', 'initdb'].includes(name.trim())) return []
      const directory = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
      return directory?.ino === place.ino && directory.dev === place.dev ? [pid] : []
    }),
  )
  return found.flat()
}

/** Returns the recorded postmaster, for systems that do not disclose the working directory of a process. */
async function postmasterByName(cluster: string): Promise<number[]> {
  const pid = await recordedPostmaster(cluster)
  return isPostgres(pid) ? [pid!] : []
}

function isPostgres(pid: number | undefined): boolean {
  if (!pid || !processStart(pid)) return false
  if (process.platform === 'linux') return nameFromProc(pid) === 'postgres'
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  return basename((stdout ?? '').trim()) === 'postgres'
}

function nameFromProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

function recordedPostmaster(cluster: string): Promise<number | undefined> {
  return firstNumberIn(join(cluster, 'postmaster.pid'))
}

async function firstNumberIn(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || undefined
}
