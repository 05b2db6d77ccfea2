import { sql } from 'kysely'
import { finishJob, type JobHandler, parkJob, scheduleJob } from '../../../jobs/job.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { uploadLimits } from '../../messages/uploads/limits.ts'
import { storedFileLimits } from '../../organization/kernel/stored-files/limits.ts'
import { unrecordedFilesJob } from '../../organization/kernel/stored-files/unrecorded.ts'

/**
 * Removes files whose rows were never written, because the server stopped or the request failed, and files that were
 * replaced.
 */
export const removingUnrecorded: JobHandler = {
  kind: unrecordedFilesJob,
  // Parts of resumable uploads are kept for as long as these.
  within: uploadLimits.resumableSeconds,
  isLong: true,

  async run({ log, adapters }, job) {
    // From here on they can no longer be recorded, so no file is removed that is still needed.
    const paths = await log.commit(claim)
    for (const path of paths) await adapters.files.remove(path)
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      await change.run(sql`
        DELETE FROM unrecorded_file WHERE realm_id = ${log.state.id} AND path = ANY(${paths}::text[])`)
      await planNext(change)
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit((change) => parkJob(change, job, reason))
  },
}

async function claim(change: Change): Promise<string[]> {
  const rows = await change.run(sql<{ path: string }>`
    UPDATE unrecorded_file SET remove_at = 0 WHERE realm_id = ${change.state.id} AND path IN (
      SELECT path FROM unrecorded_file WHERE realm_id = ${change.state.id} AND remove_at <= ${change.now}
      ORDER BY remove_at LIMIT ${storedFileLimits.removedFilesPerStep}) RETURNING path`)
  return rows.map(({ path }) => path)
}

async function planNext(change: Change) {
  const next = firstIn(
    await change.run(sql<{ at: number | null }>`
    SELECT min(remove_at) AS at FROM unrecorded_file WHERE realm_id = ${change.state.id}`),
  )
  if (next.at !== null) await scheduleJob(change, unrecordedFilesJob, 0, next.at)
}
