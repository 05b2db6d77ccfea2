import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf } from '../lib/errors.ts'
import { makeDirectories } from '../lib/files/make-directories.ts'
import { processStart } from './processes.ts'

interface DataDirectoryLock {
  release(): Promise<void>
}

/** The code of the error if another process has the directory. */
export const directoryInUse = 'DIRECTORY_IN_USE'

/** What takes a directory: a server keeps it until it is stopped, a command frees it when it is done. */
export type Taker = 'server' | 'command'

// The directories that this process holds, by real path. A process owns a lock, so this cannot be passed around.
const held = new Map<string, { file: number; holders: number }>()

/**
 * Takes a data directory (or a directory of backups), made if missing, for this process. Rejects with one sentence that names the directory and
 * the process that has it. Within one process it may be taken again; it is free when each taker has released it, or
 * when the process has died, in whatever way.
 */
export async function lockDataDirectory(
  dataDir: string,
  what = 'data directory',
  taker: Taker = 'command',
): Promise<DataDirectoryLock> {
  const directory = openDirectory(dataDir, what)
  const lock = held.get(directory) ?? { file: take(directory, what, taker), holders: 0 }
  held.set(directory, lock)
  lock.holders++
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      if (--lock.holders > 0) return
      held.delete(directory)
      // The file stays: to unlink it would let a third process lock a new file while a second one waits for this.
      ftruncateSync(lock.file)
      closeSync(lock.file)
    },
  }
}

function openDirectory(dataDir: string, what: string): string {
  try {
    makeDirectories(dataDir, 0o700)
    return realpathSync(dataDir)
  } catch (error) {
    throw unusable(dataDir, error, what)
  }
}

/** Synchronous throughout, so that no other taker of this process comes in between. */
function take(directory: string, what: string, taker: Taker): number {
  const { file, free } = openLocked(directory, what)
  const { pid, start, isCopy, isCommand } = holderIn(file)
  const living = pid && start && Number(pid) !== process.pid && processStart(Number(pid)) === start
  if (free && (isCopy || !living)) {
    ftruncateSync(file)
    writeSync(file, `${process.pid}\n${processStart(process.pid)}\n${identityOf(file)}\n${taker}\n`, 0)
    return file
  }
  closeSync(file)
  const fault = `The ${what} ${directory} is in use by ${pid ? `process ${pid}` : 'another process'}.`
  throw Object.assign(new Error(fault), { code: directoryInUse, isCommand, holder: pid && Number(pid) })
}

/** Returns the process of the server that has the directory, if the error says that one has it. */
export function serverHolding(error: unknown): number | undefined {
  if (codeOf(error) !== directoryInUse || isHeldByCommand(error)) return undefined
  return (error as { holder?: number }).holder || undefined
}

/** Whether an error says that a command has the directory, which will free it. */
export function isHeldByCommand(error: unknown): boolean {
  return codeOf(error) === directoryInUse && (error as { isCommand?: boolean }).isCommand === true
}

/** Whether a directory is the copy of one that was in use: what stands in it about running processes is about others. */
export function isCopyOfUsed(dataDir: string): boolean {
  let file: number
  try {
    file = openSync(join(dataDir, 'rookery.lock'), constants.O_RDONLY)
  } catch {
    return false
  }
  try {
    return holderIn(file).isCopy
  } finally {
    closeSync(file)
  }
}

/**
 * Returns the holder recorded in a lock file, and whether that was recorded in another file, of which this one is a
 * copy.
 */
function holderIn(file: number) {
  const [pid, start, identity, taker] = readFileSync(file, 'utf8').split('\n')
  return {
    pid,
    start,
    isCopy: Boolean(identity) && identity !== identityOf(file),
    isCommand: taker === 'command',
  }
}

/** Returns what distinguishes a file from all copies of it. */
function identityOf(file: number): string {
  const { dev, ino } = fstatSync(file, { bigint: true })
  return `${dev}:${ino}`
}

/**
 * Opens the lock file and locks it with flock(2), which the kernel undoes when this process ends. Node has no call
 * for it, but flock(1) locks the open file it inherits from us, and macOS locks on opening. Where neither works,
 * the recorded process and its starting time must do.
 */
function openLocked(directory: string, what: string): { file: number; free: boolean } {
  const path = join(directory, 'rookery.lock')
  try {
    if (process.platform === 'darwin') return openLockedOnMacos(path)
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    giveToOwner(directory, file)
    const flock = spawnSync('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', file] })
    return { file, free: flock.status !== 1 }
  } catch (error) {
    throw unusable(directory, error, what)
  }
}

/** Root may run a command where another user runs the server, who could not open what root makes. */
function giveToOwner(directory: string, file: number) {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(directory)
  try {
    fchownSync(file, uid, gid)
  } catch {
    // A container may forbid it.
  }
}

function openLockedOnMacos(path: string): { file: number; free: boolean } {
  const O_EXLOCK = 0x20
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK
  try {
    return { file: openSync(path, flags, 0o600), free: true }
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
    return { file: openSync(path, constants.O_RDONLY), free: false }
  }
}

function unusable(directory: string, error: unknown, what: string): Error {
  const reason =
    { EACCES: 'permission denied', EROFS: 'read-only file system' }[codeOf(error) ?? ''] ?? messageOf(error)
  return new Error(`The ${what} ${directory} cannot be used: ${reason}.`, { cause: error })
}
