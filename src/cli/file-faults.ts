import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, messageOf } from '../lib/errors.ts'

/** Does work that writes to a path, which the user has named. An error about it says so, and why. */
export async function writingTo<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAbout(path, error, writes)) throw error
    const reason = codeOf(error) === 'ENOENT' ? missingFor(path) : systemReason(error)
    throw new Error(`${path} cannot be written: ${reason}.`, { cause: error })
  }
}

/** The path is that of a file or of a directory, which is itself missing if the one above is there. */
function missingFor(path: string): string {
  const above = dirname(resolve(path))
  return existsSync(above) ? 'there is no such directory' : `there is no directory ${above}`
}

/** The same for work that reads a file. */
export async function readingFrom<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAbout(file, error, reads)) throw error
    throw new Error(`${file} cannot be read: ${systemReason(error)}.`, { cause: error })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'files of this size are not allowed',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a file is in the place of a directory',
  EEXIST: 'a file is in its place',
  ENOENT: 'there is no such file',
  EIO: 'the disk fails',
}

/** Returns why the system has refused something, in a few words. */
export function systemReason(error: unknown): string {
  return reasons[codeOf(error) ?? ''] ?? messageOf(error)
}

// Calls that know only the number of an open file.
const writes = ['write', 'fsync', 'ftruncate']
const reads = ['read']

/** Whether the system has refused one of these calls, or to open this path, or something in it or above it. */
function isAbout(path: string, error: unknown, calls: string[]): boolean {
  if (!(error instanceof Error) || !((codeOf(error) ?? '') in reasons)) return false
  if (!('path' in error)) return 'syscall' in error && calls.includes(String(error.syscall))
  const [own, other] = [resolve(path), resolve(String(error.path))]
  return other.startsWith(own) || own.startsWith(`${other}/`)
}
