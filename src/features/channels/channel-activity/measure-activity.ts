import type { ChannelRow } from '../../../db/schema.ts'
import { finishJob, type Job, type JobContext, type JobHandler, scheduleJob } from '../../../jobs/job.ts'
import { limits } from '../../../lib/limits.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { emitActivity } from './activity.ts'
import { countSince, firstSince } from './counts.ts'

const day = 86_400
const week = 7 * day

/** The job of an organization that nobody has measured yet. */
export const firstMeasurement = { kind: 'channel activity', subject_id: 0, due_at: 0 }

const { kind, subject_id: subject } = firstMeasurement

/** From the beginning of an organization on, its channels are measured once a day. */
export function scheduleMeasurement(change: Change, dueAt: number) {
  return scheduleJob(change, kind, subject, dueAt)
}

/**
 * Finds out how many messages a week each channel gets, and which ones have not been written to for long. Counting
 * keeps nobody from writing; what has changed is written some channels at a time, as each write holds up the others.
 */
export const measureActivity: JobHandler = {
  kind,
  isLong: true,

  async run(context, job) {
    const { log, read, site, stopping } = context
    const since = (days: number) => firstSince(read, log.state, site.clock() - days * day)
    const [counted, recent] = [await since(limits.trafficDays), await since(limits.activeDays)]
    const ids = [...log.state.channels.values()].map((channel) => channel.id)
    for (let i = 0; i < ids.length && !stopping.aborted; i += limits.activityBatch) {
      const counts = await countSince(read, log.state, ids.slice(i, i + limits.activityBatch), counted)
      await log.commit((change) => note(change, counts, recent))
    }
    await again(context, job, stopping.aborted ? 0 : limits.activityPauseSeconds)
  },

  // There is nobody to tell; later it may work.
  giveUp: (context, job) => again(context, job, limits.activityPauseSeconds),
}

async function again({ log }: JobContext, job: Job, pause: number) {
  await log.commit(async (change) => {
    if (await finishJob(change, job)) await scheduleMeasurement(change, change.now + pause)
  })
}

/** Writes what has changed. `counts`: messages by channel; `recent`: the first message that is not old. */
async function note(change: Change, counts: Map<number, number>, recent: number) {
  const found = [...counts].map(([id, count]) => {
    const channel = change.state.channels.get(id)!
    const active = isActive(change.state, channel, recent, change.now)
    return { channel, active, traffic: weeklyTraffic(count, change.now - channel.created_at) }
  })
  const changed = found.filter(
    ({ channel, active, traffic }) =>
      active !== channel.is_recently_active || traffic !== channel.weekly_traffic,
  )
  await change.updateAll(
    'channel',
    changed.map(({ channel, active, traffic }) => ({
      id: channel.id,
      is_recently_active: active,
      weekly_traffic: traffic,
    })),
  )
  for (const { channel, active } of changed) {
    if (active !== channel.is_recently_active) emitActivity(change, channel, active)
  }
}

/**
 * A new channel counts as active before anybody has written. An archived one stays what it was: nobody writes there, and
 * clients that do not know of archiving would hear of a channel that they do not know.
 */
function isActive({ newestMessages }: RealmState, channel: ChannelRow, recent: number, now: number): boolean {
  if (channel.is_archived) return channel.is_recently_active
  if (channel.created_at >= now - limits.activeDays * day) return true
  return (newestMessages.get(channel.recipient_id) ?? 0) >= recent
}

/** Messages per week on average, from the count of late; null as long as the channel is too young to tell. */
function weeklyTraffic(count: number, age: number): number | null {
  if (age < limits.trafficYoungDays * day) return null
  const perWeek = Math.round((count * week) / Math.min(age, limits.trafficDays * day))
  // 0 says that nobody writes there.
  return Math.max(perWeek, Math.min(count, 1))
}
