import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file that only this user may read: all or nothing, and on disk before this returns. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    const written = await open(unfinished, 'wx', 0o600)
    try {
      await written.writeFile(text)
      await written.sync()
    } finally {
      await written.close()
    }
    await rename(unfinished, file)
    const directory = await open(dirname(file))
    await directory.sync().finally(() => directory.close())
  } finally {
    await rm(unfinished, { force: true })
  }
}
