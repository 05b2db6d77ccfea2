import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { codeOf, messageOf } from '../../lib/errors.ts'

const ofPermission = /EACCES|EPERM|permission denied|operation not permitted/i

/**
 * Returns the error of a start. If it is about permissions, and something in the data directory belongs to another user, as
 * after a command or a copy by root, the error names it and says what to do.
 */
export async function withForeignFile(error: unknown, directory: string, user = process.geteuid?.()) {
  const message = messageOf(error)
  if (user === undefined || !ofPermission.test(`${codeOf(error)} ${message}`)) return error
  const foreign = await foreignIn(directory, user, 3)
  if (foreign === undefined) return error
  const { path, uid } = foreign
  const owner = `${path} belongs to the user with the number ${uid}, and the server runs as ${userInfo().username}`
  const advice = `As root, run chown -R ${userInfo().username} ${directory}, or start the server as the user who has the rest.`
  return new Error(`${message.replace(/\.$/, '')}. ${owner}. ${advice}`, { cause: error })
}

type Foreign = { path: string; uid: number }

/** Returns the first that belongs to another user: the path itself, or what is in it down to this number of levels. */
export async function foreignIn(path: string, user: number, levels: number): Promise<Foreign | undefined> {
  // What a link leads to must be the user's, not the link.
  const { uid } = await stat(path).catch(() => ({ uid: user }))
  if (uid !== user) return { path, uid }
  if (levels === 0) return undefined
  const entries: Dirent[] = await readdir(path, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const below = await foreignIn(join(path, entry.name), user, entry.isDirectory() ? levels - 1 : 0)
    if (below) return below
  }
  return undefined
}
