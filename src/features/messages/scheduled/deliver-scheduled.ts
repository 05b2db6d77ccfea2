import { sql } from 'kysely'
import type { ScheduledMessageRow } from '../../../db/schema.ts'
import {
  finishJob,
  type Job,
  type JobContext,
  type JobHandler,
  parkJob,
  TryLater,
} from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import { noticeTo } from '../../kernel/messages/notify-people.ts'
import { addMessage } from '../kernel/messages/add-message.ts'
import { channelDestination, directDestination } from '../kernel/messages/compose-message.ts'
import { prepareMessage } from '../kernel/messages/prepare-message.ts'
import { scheduledJobKind, scheduledView } from '../kernel/scheduled/scheduled.ts'
import { scheduledLimits } from './limits.ts'
import { scheduledRemoved, scheduledUpdated } from './scheduled_messages.event.ts'

/** Sends a scheduled message with the current permissions of its sender. */
export const scheduledDelivery: JobHandler = {
  kind: scheduledJobKind,
  within: Number.POSITIVE_INFINITY,

  async run(context, job) {
    const { log, read, site } = context
    const row = await rowOf(context, job)
    const me = row && log.state.users.get(row.sender_id)
    if (!row || !me) return void (await log.commit((change) => finishJob(change, job)))
    if (!me.is_active) throw badRequest('The account is deactivated.')
    checkTime(row, site)
    const writer = { realm: log.state, site, me, read }
    const destination = row.user_ids
      ? directDestination(writer, row.user_ids)
      : channelDestination(writer, row.channel_id, row.topic)
    const { content, client, read_by_sender: readBySender } = row
    const message = await prepareMessage(writer, destination, { content, client, readBySender })
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      // It is sent once the organization is back.
      if (change.state.row.is_deactivated) throw new TryLater('The organization is deactivated.')
      await change.deleteAll('scheduled_message', [{ id: row.id }])
      await addMessage(change, me, message)
      change.emit(scheduledRemoved(row.id), { users: [me.id] })
    })
  },

  async giveUp(context, job, reason) {
    const row = await rowOf(context, job)
    const me = row && context.log.state.users.get(row.sender_id)
    if (!row || !me) return
    const tell = noticeTo(context, me, failureText(row, reason))
    await context.log.commit(async (change) => {
      if (!(await parkJob(change, job, reason))) return
      const failed = await change.update('scheduled_message', { id: row.id, failed: true })
      change.emit(scheduledUpdated(scheduledView(failed)), { users: [me.id] })
      await tell(change)
    })
  },
}

/**
 * Throws if the time is long over. The text may not be true any more, and a backup that is put back has messages that were sent
 * long ago.
 */
function checkTime({ deliver_at }: ScheduledMessageRow, { clock }: Site) {
  const { lateSeconds } = scheduledLimits
  if (clock() - deliver_at <= lateSeconds) return
  throw badRequest(`The server was not able to send it before it was ${lateSeconds / 60} minutes late.`)
}

async function rowOf(
  { log, read }: JobContext,
  { subject_id }: Job,
): Promise<ScheduledMessageRow | undefined> {
  const [row] = await read.rows<ScheduledMessageRow>(
    sql`SELECT * FROM scheduled_message WHERE realm_id = ${log.state.id} AND id = ${subject_id}`,
  )
  return row
}

function failureText({ deliver_at }: ScheduledMessageRow, reason: string) {
  const time = new Date(deliver_at * 1000).toISOString().replace('.000Z', 'Z')
  return `Your message that was scheduled for <time:${time}> could not be sent:\n\n> ${reason}\n\n[View scheduled messages](#scheduled)`
}
