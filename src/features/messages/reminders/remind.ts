import { sql } from 'kysely'
import type { AccountRow, MessageRow, ReminderRow } from '../../../db/schema.ts'
import { finishJob, type Job, type JobContext, type JobHandler, parkJob } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { mayRead } from '../../kernel/messages/access.ts'
import { noticeTo } from '../../kernel/messages/notify-people.ts'
import { goneText } from './reminder-text.ts'
import { reminderAdded, reminderRemoved } from './reminders.event.ts'
import { reminderJobKind, reminderView } from './reminders.ts'

/** Reminds a user of a message. */
export const reminderJob: JobHandler = {
  kind: reminderJobKind,
  within: Number.POSITIVE_INFINITY,

  async run(context, job) {
    const { log } = context
    const row = await rowOf(context, job)
    const me = row && log.state.users.get(row.user_id)
    if (!row || !me) return void (await log.commit((change) => finishJob(change, job)))
    if (!me.is_active) throw badRequest('The account is deactivated.')
    const isThere = await isReadable(context, me, row.message_id)
    const tell = noticeTo(context, me, isThere ? row.content : goneText)
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      await change.deleteAll('reminder', [{ id: row.id }])
      await tell(change)
      change.emit(reminderRemoved(row.id), { users: [me.id] })
    })
  },

  // No event changes a reminder, so the client sees it removed and added again as failed.
  async giveUp(context, job, reason) {
    const row = await rowOf(context, job)
    if (!row) return
    await context.log.commit(async (change) => {
      if (!(await parkJob(change, job, reason))) return
      const failed = await change.update('reminder', { id: row.id, failed: true })
      change.emit(reminderRemoved(row.id), { users: [row.user_id] })
      change.emit(reminderAdded(reminderView(failed)), { users: [row.user_id] })
    })
  },
}

async function rowOf({ log, read }: JobContext, { subject_id }: Job): Promise<ReminderRow | undefined> {
  const [row] = await read.rows<ReminderRow>(
    sql`SELECT * FROM reminder WHERE realm_id = ${log.state.id} AND id = ${subject_id}`,
  )
  return row
}

async function isReadable({ log, read }: JobContext, me: AccountRow, messageId: number) {
  const [message] = await read.rows<MessageRow>(
    sql`SELECT * FROM message WHERE realm_id = ${log.state.id} AND id = ${messageId}`,
  )
  return message !== undefined && mayRead(log.state, me, message)
}
