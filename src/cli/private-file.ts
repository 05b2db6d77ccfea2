import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { giveToOwnerOf } from '../lib/files/ownership.ts'

/** Writes a file that only this user may read: all or nothing, and on disk before this returns. */
export function writePrivate(file: string, text: string): Promise<void> {
  return write(file, text, async () => {})
}

/**
 * Writes a private file in a data directory, and gives it to the owner of the directory: root may write it for the user who runs
 * the server.
 */
export function writeForServer(file: string, text: string): Promise<void> {
  return write(file, text, (unfinished) => giveToOwnerOf(dirname(file), unfinished))
}

async function write(file: string, text: string, give: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    const written = await open(unfinished, 'wx', 0o600)
    try {
      await written.writeFile(text)
      await written.sync()
    } finally {
      await written.close()
    }
    await give(unfinished)
    await rename(unfinished, file)
    const directory = await open(dirname(file))
    await directory.sync().finally(() => directory.close())
  } finally {
    await rm(unfinished, { force: true })
  }
}
