import { sql } from 'kysely'
import { finishJob, type Job, type JobContext, type JobHandler, parkJob } from '../../../jobs/job.ts'
import { calledByEditJob } from '../../kernel/editing/job-kind.ts'
import { type CallingEdit, usersCalledByEdits } from '../kernel/missed-messages/called-by-edits.ts'
import { missedLimits } from '../kernel/missed-messages/limits.ts'
import { awayFrom, noteMissed } from '../kernel/missed-messages/record-missed-messages.ts'
import { byMail } from '../kernel/missed-messages/users-to-notify.ts'

/** Records that an edit calls users who are away, so that they get a mail about the message. */
export const notingCalledByEdit: JobHandler = {
  kind: calledByEditJob,
  within: 0,

  async run(context, job) {
    const { log, read, site, adapters } = context
    await log.catchUp()
    const { state } = log
    const edits = adapters.mail ? await editsOf(context, job) : []
    const missed = await usersCalledByEdits(read, state, edits, byMail, awayFrom(state, site))
    await log.commit(async (change) => {
      if (await finishJob(change, job)) await noteMissed(change, missed)
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit(async (change) => void (await parkJob(change, job, reason)))
  },
}

/** Returns the edit in the commit after this number of the log; none if that is long ago. */
function editsOf({ log, read, site }: JobContext, { subject_id: before }: Job): Promise<CallingEdit[]> {
  return read.rows(sql<CallingEdit>`
    SELECT e.event -> 'message_id' AS message_id, e.event -> 'called' AS called
    FROM event_log first JOIN event_log e ON e.realm_id = first.realm_id AND e.id >= first.id AND e.stamp = first.stamp
    WHERE first.realm_id = ${log.state.id} AND first.id = ${before + 1} AND e.type = 'update_message'
      AND e.event ? 'called' AND e.created_at > ${site.clock() - missedLimits.missedSeconds} LIMIT 1`)
}
