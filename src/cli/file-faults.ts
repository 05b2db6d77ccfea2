import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, messageOf } from '../lib/errors.ts'

/** Does work that writes to a path that the user has named. If it fails, the error names the path and the reason. */
export async function writingTo<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAbout(path, error, writes)) throw error
    const reason = codeOf(error) === 'ENOENT' ? missingFor(path) : systemReason(error)
    throw new Error(`${path} cannot be written: ${reason}.`, { cause: error })
  }
}

/** Returns why a path to be written does not exist: it is in a directory that is missing, or is one itself. */
function missingFor(path: string): string {
  const above = dirname(resolve(path))
  return existsSync(above) ? 'there is no such directory' : `there is no directory ${above}`
}

/** Does work that reads a file that the user has named. If it fails, the error names the file and the reason. */
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

/**
 * Whether an error of the system concerns this path: it comes from one of these calls on an open file, or from opening
 * the path, something in it, or a directory above it.
 */
function isAbout(path: string, error: unknown, calls: string[]): boolean {
  if (!(error instanceof Error) || !((codeOf(error) ?? '') in reasons)) return false
  if (!('path' in error)) return 'syscall' in error && calls.includes(String(error.syscall))
  const [own, other] = [resolve(path), resolve(String(error.path))]
  return other.startsWith(own) || own.startsWith(`${other}/`)
}
