import { sql } from 'kysely'
import { scheduleJob } from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import { deliveryJob } from '../../kernel/mail/queue-mail.ts'

/** Schedules another attempt for a mail that failed or is uncertain. Returns false for any other mail. */
export async function retryMail(change: Change, id: number): Promise<boolean> {
  const waiting = await change.run(sql`
    UPDATE mail SET state = 'waiting', error = NULL, created_at = ${change.now}, changed_at = ${change.now}
    WHERE realm_id = ${change.state.id} AND id = ${id} AND state IN ('failed', 'uncertain') RETURNING 1 AS one`)
  if (waiting.length === 0) return false
  await scheduleJob(change, deliveryJob, id, change.now)
  return true
}
