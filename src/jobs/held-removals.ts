import { sql } from 'kysely'
import type { FileStore } from '../adapters/files/file-store.ts'
import { backupLock } from '../db/backup-lock.ts'
import type { Reader } from '../db/database.ts'
import { firstIn } from '../lib/must.ts'
import { TryLater } from './job.ts'
import { jobLimits } from './limits.ts'

/**
 * Returns a store whose `remove` throws TryLater while a backup copies files: the backup must contain the file of each of its rows. The
 * job that removes a file retries afterwards.
 */
export function holdRemovals(files: FileStore, read: Pick<Reader, 'rows'>): FileStore {
  // All other methods are those of the store, also if they are replaced later.
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
