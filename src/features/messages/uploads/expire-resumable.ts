import { sql } from 'kysely'
import { finishJob, type JobHandler, parkJob, scheduleJob } from '../../../jobs/job.ts'
import { firstIn } from '../../../lib/must.ts'
import { resumableJob } from '../kernel/uploads/job-kinds.ts'
import { uploadLimits } from './limits.ts'

/** Forgets resumable uploads that have expired. Their parts go by themselves, as files that nothing was recorded of. */
export const expiringResumable: JobHandler = {
  kind: resumableJob,
  within: uploadLimits.resumableSeconds,

  async run({ log }, job) {
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      await change.run(sql`
        DELETE FROM resumable_upload WHERE realm_id = ${change.state.id} AND expires_at <= ${change.now}`)
      const next = firstIn(
        await change.run(sql<{ at: number | null }>`
        SELECT min(expires_at) AS at FROM resumable_upload WHERE realm_id = ${change.state.id}`),
      )
      if (next.at !== null) await scheduleJob(change, resumableJob, 0, next.at)
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit((change) => parkJob(change, job, reason))
  },
}
