import { sql } from 'kysely'
import { finishAndThen, type Job, type JobContext, type JobHandler, scheduleJob } from '../../../jobs/job.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Change } from '../../../log/change.ts'
import { removeMessages } from '../kernel/editing/remove-messages.ts'
import { retentionLimits } from './limits.ts'
import { daysKept, type Kept, keptForATime } from './retention.ts'

const kind = 'retention'

/** Schedules the job that checks messages regularly, starting with the creation of the organization. */
export function scheduleRetention(change: Change, dueAt: number) {
  return scheduleJob(change, kind, 0, dueAt)
}

/**
 * Deletes messages after their retention period, in steps. The search for expired messages blocks no writers. Each step
 * deletes some messages of one conversation and emits the event.
 */
export const retention: JobHandler = {
  kind,
  within: retentionLimits.retentionPauseSeconds,

  async run(context, job) {
    const begun = context.site.clock()
    const start = performance.now()
    const isTime = () =>
      !context.stopping.aborted && performance.now() - start < retentionLimits.retentionSeconds * 1000
    for (const recipient of await outdatedConversations(context)) {
      while (isTime()) {
        const ids = await outdatedMessages(context, recipient)
        if (ids.length === 0) break
        await context.log.commit((change) => expire(change, recipient, ids))
      }
    }
    await again(context, job, begun + (isTime() ? retentionLimits.retentionPauseSeconds : 0))
  },

  // There is no user to notify, and a later attempt may succeed.
  giveUp: (context, job) => again(context, job, context.site.clock() + retentionLimits.retentionPauseSeconds),
}

/** `dueAt` counts from the beginning of a run: what has expired since then, this run has not seen. */
function again(context: JobContext, job: Job, dueAt: number) {
  return finishAndThen(context, job, (change) => scheduleRetention(change, dueAt))
}

/** Returns the conversations with limited retention whose oldest message has expired. */
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

/** Returns the oldest messages of the conversation, as far as they have expired, in ascending order. */
async function outdatedMessages({ log, read, site }: JobContext, recipient: number): Promise<number[]> {
  const days = daysKept(log.state, recipient)
  if (days === undefined) return []
  const rows = await read.rows<{ id: number }>(sql`
    SELECT id FROM (
      SELECT id, sent_at FROM message WHERE realm_id = ${log.state.id} AND recipient_id = ${recipient}
      ORDER BY id LIMIT ${retentionLimits.retentionBatch}) AS oldest
    WHERE sent_at < ${oldestKept({ days }, site.clock())} ORDER BY id`)
  return rows.map((row) => row.id)
}

/** Deletes the messages that are still expired. They may have been moved, or the retention period may have changed. */
async function expire(change: Change, recipient: number, ids: number[]) {
  const days = daysKept(change.state, recipient)
  if (days === undefined) return
  const rows = await change.run(sql<{ id: number; topic: string }>`
    SELECT id, topic FROM message WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])
      AND recipient_id = ${recipient} AND sent_at < ${oldestKept({ days }, change.now)} ORDER BY id`)
  const byTopic = [...groupBy(rows, (row) => row.topic)].slice(0, retentionLimits.retentionTopics)
  for (const [topic, group] of byTopic) {
    const those = group.map((row) => row.id)
    await removeMessages(change, recipient, topic, those)
  }
}

function oldestKept({ days }: Pick<Kept, 'days'>, now: number) {
  return now - days * 86_400
}
