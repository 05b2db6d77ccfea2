import { spawnSync } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { cliLimits } from '../limits.ts'
import type { BackupFolder } from './manifest.ts'

// Commands that read backups share a lock on the marker of their directory. Commands that remove backups take it
// exclusively. It is not the lock for taking a backup, so a backup need not wait for a restore. A shared flock(2) also
// works on read-only media.

/** Reads backups, of which none is removed meanwhile. Throws one sentence if a removal takes too long. */
export async function whileReading<T>(places: BackupFolder, work: () => Promise<T>): Promise<T> {
  for (let waited = 0; waited < cliLimits.backupRemovalSeconds; waited++) {
    const lock = await lockMarker(places, '--shared')
    // Without locks, no command removes anything.
    if (lock === 'unknown') return work()
    if (lock !== 'taken') return work().finally(() => lock.close())
    await sleep(1_000)
  }
  throw new Error(`Older backups are being removed from ${places.folder}: try again when that has finished.`)
}

/**
 * Does work that removes backups. Instead returns `taken` if a command is reading backups, or `unknown` if that cannot
 * be determined: a system may lack flock(1), and a network file system may not support locks.
 */
export async function unlessRead<T>(
  places: BackupFolder,
  work: () => Promise<T>,
): Promise<T | 'taken' | 'unknown'> {
  const lock = await lockMarker(places, '--exclusive')
  return typeof lock === 'string' ? lock : work().finally(() => lock.close())
}

/** A copy of the directory may lack the marker. */
async function lockMarker(
  { marker }: BackupFolder,
  kind: '--shared' | '--exclusive',
): Promise<FileHandle | 'taken' | 'unknown'> {
  // On NFS, a file must be open for writing to be locked exclusively; a medium that only reads can be locked as shared.
  const file = await open(marker, kind === '--shared' ? 'r' : 'r+').catch(() => undefined)
  if (!file) return 'unknown'
  const { status } = spawnSync('flock', [kind, '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
  })
  if (status === 0) return file
  await file.close()
  return status === 1 ? 'taken' : 'unknown'
}
