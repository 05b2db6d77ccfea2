import { type RawBuilder, sql } from 'kysely'
import type { PushDeviceRow } from '../../../db/schema.ts'
import { finishJob, type Job, scheduleJob, scheduleMissingJobs } from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import { invalidateDevice } from '../../kernel/push/devices.ts'
import { browserJob, relayJob } from '../../kernel/push/jobs.ts'

type Notification = {
  device: PushDeviceRow
  kind: 'message' | 'remove' | 'test'
  messageIds: number[]
  reason?: string
}

/** Queues notifications for devices. Their content is determined when they are sent. */
export async function queueNotifications(change: Change, notifications: Notification[]) {
  await change.insertAll(
    'push_notification',
    notifications.map(({ device, kind, messageIds, reason }) => ({
      device_id: device.id,
      kind,
      reason: reason ?? null,
      message_ids: messageIds,
      created_at: change.now,
    })),
  )
  const devices = notifications.map(({ device }) => device)
  const browsers = new Set(devices.filter(({ kind }) => kind === 'browser').map(({ id }) => id))
  const jobs = [...browsers].map((id) => ({ subjectId: id, dueAt: change.now }))
  await scheduleMissingJobs(change, browserJob, jobs)
  if (devices.every(({ kind }) => kind === 'browser')) return
  await scheduleMissingJobs(change, relayJob, [{ subjectId: 0, dueAt: change.now }])
}

/** The outcome of a job: the ids of finished notifications, and the devices that can no longer be reached. */
type Outcome = { done: number[]; gone: PushDeviceRow[] }

/** Writes the progress of a job. */
export async function writeDown(change: Change, { done, gone }: Outcome) {
  await removeFromOutbox(change, done)
  // A device may have had several notifications in one batch.
  for (const id of new Set(gone.map((device) => device.id))) await invalidateDevice(change, { id })
}

/**
 * Writes the progress at the end of a job. `mine`: the condition for its devices (d). Runs the job again if they have
 * more notifications.
 */
export async function settle(change: Change, job: Job, outcome: Outcome, mine: RawBuilder<boolean>) {
  await writeDown(change, outcome)
  const left = await change.run(sql`
    SELECT 1 AS one FROM push_notification n JOIN push_device d ON d.realm_id = n.realm_id AND d.id = n.device_id
    WHERE n.realm_id = ${change.state.id} AND ${mine} LIMIT 1`)
  if (left.length === 0) await finishJob(change, job)
  else await scheduleJob(change, job.kind, job.subject_id, change.now)
}

export async function removeFromOutbox(change: Change, ids: number[]) {
  if (ids.length === 0) return
  await change.run(sql`
    DELETE FROM push_notification WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])`)
}
