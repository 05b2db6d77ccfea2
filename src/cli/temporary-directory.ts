import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guard, ignore } from '../lib/guard.ts'
import { writingTo } from './file-faults.ts'
import { endingSignals } from './signals.ts'

/**
 * Does work in a directory of its own, below `parent` or where temporary files are. The directory is removed afterwards, also if a
 * signal ends the command.
 */
export async function inTemporaryDirectory<T>(
  parent: string | undefined,
  prefix: string,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const place = parent ?? tmpdir()
  const directory = await writingTo(place, () => mkdtemp(join(place, prefix)))
  return removedAfter(directory, () => writingTo(place, () => work(directory)))
}

/**
 * Does work that creates this path for its own use. The path is removed afterwards, also if a signal ends the command.
 */
export async function removedAfter<T>(path: string, work: () => Promise<T>): Promise<T> {
  // PostgreSQL, which works in a directory, ends meanwhile.
  const remove = guard(ignore, () => rmSync(path, { recursive: true, force: true, maxRetries: 20 }))
  // The last to act at the exit: the one that stops PostgreSQL came before.
  const removeAtExit = guard(ignore, () => process.on('exit', remove))
  for (const name of endingSignals) process.prependListener(name, removeAtExit)
  try {
    return await work()
  } finally {
    for (const name of endingSignals) process.off(name, removeAtExit)
    await rm(path, { recursive: true, force: true })
  }
}
