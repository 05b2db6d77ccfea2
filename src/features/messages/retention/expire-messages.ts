import { sql } from 'kysely'
import { finishJob, type Job, type JobContext, type JobHandler, scheduleJob } from '../../../jobs/job.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { limits } from '../../../lib/limits.ts'
import type { Change } from '../../../log/change.ts'
import { removeMessages } from '../kernel/editing/remove-messages.ts'
import { daysKept, type Kept, keptForATime } from './retention.ts'

const kind = 'retention'

/** From the beginning of an organization on, its messages are looked through every now and then. */
export function scheduleRetention(change: Change, dueAt: number) {
  return scheduleJob(change, kind, 0, dueAt)
}

/**
 * Deletes what is older than it is kept, in steps: what to delete is looked for without keeping anybody from writing,
 * and each step deletes some messages of one conversation and tells of it.
 */
export const retention: JobHandler = {
  kind,

  async run(context, job) {
    const start = performance.now()
    const isTime = () =>
      !context.stopping.aborted && performance.now() - start < limits.retentionSeconds * 1000
    for (const recipient of await outdatedConversations(context)) {
      while (isTime()) {
        const ids = await outdatedMessages(context, recipient)
        if (ids.length === 0) break
        await context.log.commit((change) => expire(change, recipient, ids))
      }
    }
    await again(context, job, isTime() ? limits.retentionPauseSeconds : 0)
  },

  // There is nobody to tell; later it may work.
  giveUp: (context, job) => again(context, job, limits.retentionPauseSeconds),
}

async function again({ log }: JobContext, job: Job, pause: number) {
  await log.commit(async (change) => {
    if (await finishJob(change, job)) await scheduleRetention(change, change.now + pause)
  })
}

/** Of conversations that are kept for a time, those whose oldest message is too old. */
async function outdatedConversations({ log, read, site }: JobContext): Promise<number[]> {
  const kept = keptForATime(log.state)
  if (kept.length === 0) return []
  const rows = await read.rows<{ id: number }>(sql`
    SELECT kept.id FROM unnest(${kept.map((one) => one.recipient)}::integer[],
      ${kept.map((one) => oldestKept(one, site.clock()))}::bigint[]) AS kept(id, since)
    CROSS JOIN LATERAL (
      SELECT sent_at FROM message m WHERE m.realm_id = ${log.state.id} AND m.recipient_id = kept.id
      ORDER BY m.id LIMIT 1) AS oldest
    WHERE oldest.sent_at < kept.since`)
  return rows.map((row) => row.id)
}

/** Its oldest messages, as far as they are too old; rising. */
async function outdatedMessages({ log, read, site }: JobContext, recipient: number): Promise<number[]> {
  const days = daysKept(log.state, recipient)
  if (days === undefined) return []
  const rows = await read.rows<{ id: number }>(sql`
    SELECT id FROM (
      SELECT id, sent_at FROM message WHERE realm_id = ${log.state.id} AND recipient_id = ${recipient}
      ORDER BY id LIMIT ${limits.retentionBatch}) AS oldest
    WHERE sent_at < ${oldestKept({ days }, site.clock())} ORDER BY id`)
  return rows.map((row) => row.id)
}

/** Meanwhile they may have been moved, or are to be kept after all. */
async function expire(change: Change, recipient: number, ids: number[]) {
  const days = daysKept(change.state, recipient)
  if (days === undefined) return
  const rows = await change.run(sql<{ id: number; topic: string }>`
    SELECT id, topic FROM message WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])
      AND recipient_id = ${recipient} AND sent_at < ${oldestKept({ days }, change.now)} ORDER BY id`)
  const byTopic = [...groupBy(rows, (row) => row.topic)].slice(0, limits.retentionTopics)
  for (const [topic, group] of byTopic) {
    const those = group.map((row) => row.id)
    await removeMessages(change, recipient, topic, those)
  }
}

function oldestKept({ days }: Pick<Kept, 'days'>, now: number) {
  return now - days * 86_400
}
