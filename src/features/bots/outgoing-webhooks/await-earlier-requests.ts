import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Job, type JobContext, TryLater } from '../../../jobs/job.ts'

/** The number of checks, and the milliseconds between them, before the job yields to another one. */
const looks = 10
const pause = 40

/**
 * Waits until the bot's earlier requests are finished, on all nodes, because a bot that stores values must reply in the
 * order of the questions. A request that has failed before blocks no others.
 */
export async function awaitEarlierRequests({ log, read, stopping }: JobContext, job: Job, botId: number) {
  const earlier = sql<{ id: number }>`
    SELECT r.id FROM outgoing_request r
    JOIN job j ON j.realm_id = r.realm_id AND j.kind = ${job.kind} AND j.subject_id = r.id
    WHERE r.realm_id = ${log.state.id} AND r.bot_id = ${botId} AND r.id < ${job.subject_id}
      AND j.parked_at IS NULL AND j.attempts <= 1 LIMIT 1`
  for (let look = 0; look < looks && !stopping.aborted; look++) {
    if ((await read.rows(earlier)).length === 0) return
    await sleep(pause)
  }
  throw new TryLater('Others come first.', 1)
}
