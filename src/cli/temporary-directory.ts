import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../lib/errors.ts'
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
  const remove = guard(ignore, () => removeWhileInUse(path))
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

/** How often a removal is tried, with 20 ms in between. */
const tries = 100

/**
 * Removes a path in which a PostgreSQL that is about to end may still create files. A file that appears after its directory
 * was read fails the removal; the next try reads the directory again, which `maxRetries` of `rmSync` does not.
 */
function removeWhileInUse(path: string): void {
  for (let left = tries - 1; ; left--) {
    try {
      rmSync(path, { recursive: true, force: true })
      return
    } catch (error) {
      if (left === 0 || codeOf(error) !== 'ENOTEMPTY') throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
}
