import { spawnSync } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { cliLimits } from '../limits.ts'
import type { BackupFolder } from './manifest.ts'

// Commands that read backups share a lock of their directory, on its marker. Commands that remove backups need it alone. The lock is
// apart from that of taking a backup, so a backup need not wait for a restore. flock(2) works on media that cannot be written to, too.

/** Reads backups, of which none is removed meanwhile. Throws one sentence if a removal takes too long. */
export async function whileReading<T>(places: BackupFolder, work: () => Promise<T>): Promise<T> {
  for (let waited = 0; waited < cliLimits.backupRemovalSeconds; waited++) {
    const lock = await lockMarker(places, '--shared')
    if (lock !== 'taken') return work().finally(() => lock?.close())
    await sleep(1_000)
  }
  throw new Error(`Older backups are being removed from ${places.folder}: try again when that has finished.`)
}

/** Does work that removes backups, unless a command is reading them; undefined then. */
export async function unlessRead<T>(places: BackupFolder, work: () => Promise<T>): Promise<T | undefined> {
  const lock = await lockMarker(places, '--exclusive')
  return lock === 'taken' ? undefined : work().finally(() => lock?.close())
}

/** Undefined without a lock: a copy of the directory may lack the marker, and a system may lack flock(1). */
async function lockMarker({ marker }: BackupFolder, kind: string): Promise<FileHandle | 'taken' | undefined> {
  const file = await open(marker, 'r').catch(() => undefined)
  if (!file) return undefined
  const { status } = spawnSync('flock', [kind, '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file.fd],
  })
  if (status !== 1) return file
  await file.close()
  return 'taken'
}
