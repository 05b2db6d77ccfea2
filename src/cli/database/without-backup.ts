import { backupLock } from '../../db/backup-lock.ts'
import { firstIn } from '../../lib/must.ts'
import { withClient } from './with-client.ts'

/**
 * Does work that removes files from the store, while no backup of the database begins. Throws one sentence, before the work, if
 * one is under way: it copies the files of rows that it has copied before.
 */
export async function withoutBackup<T>(url: string, work: () => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    const query = 'SELECT pg_try_advisory_lock_shared($1) AS taken'
    const { rows } = await client.query<{ taken: boolean }>(query, [backupLock])
    if (!firstIn(rows).taken) throw new Error('A backup is under way: try again when it is finished.')
    return work()
  })
}
