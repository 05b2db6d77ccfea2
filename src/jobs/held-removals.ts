import { sql } from 'kysely'
import type { FileStore } from '../adapters/files/file-store.ts'
import { backupLock } from '../db/backup-lock.ts'
import type { Reader } from '../db/database.ts'
import { firstIn } from '../lib/must.ts'
import { TryLater } from './job.ts'
import { jobLimits } from './limits.ts'

/**
 * Returns the store, which removes no file while a backup copies its files: they are those of all rows that the backup has. Jobs
 * remove them afterwards; every file that is to be removed has one.
 */
export function holdRemovals(files: FileStore, read: Pick<Reader, 'rows'>): FileStore {
  // Everything else stays what the store makes of it, also later.
  return Object.assign(Object.create(files) as FileStore, {
    async remove(path: string) {
      const query = sql<{ taken: boolean }>`SELECT pg_try_advisory_xact_lock_shared(${backupLock}) AS taken`
      if (!firstIn(await read.rows(query)).taken) {
        throw new TryLater('A backup is under way.', jobLimits.heldRemovalSeconds)
      }
      await files.remove(path)
    },
  })
}
