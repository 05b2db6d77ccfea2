import { lchown, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ignore } from '../guard.ts'
import { makeDirectories } from './make-directories.ts'

/**
 * As root, gives a new file to the owner of the directory that it is in, or that it will be in: the server may be another user than
 * root, who runs a command beside it.
 */
export async function giveToOwnerOf(directory: string, file: string): Promise<void> {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = await stat(directory)
  // A container may forbid it.
  await lchown(file, uid, gid).catch(ignore)
}

/** Makes a directory and those above it that are missing, for the owner of the one above. Returns the first that was made. */
export async function makeDirectory(directory: string): Promise<string | undefined> {
  const first = makeDirectories(directory, 0o700)
  if (first === undefined) return undefined
  const made: string[] = []
  for (let path = directory; path.length >= first.length; path = dirname(path)) made.unshift(path)
  for (const path of made) await giveToOwnerOf(dirname(path), path)
  return first
}
