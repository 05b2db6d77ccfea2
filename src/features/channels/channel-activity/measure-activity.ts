import type { ChannelRow } from '../../../db/schema.ts'
import { finishAndThen, type Job, type JobContext, type JobHandler, scheduleJob } from '../../../jobs/job.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { emitActivity } from './activity.ts'
import { countSince, firstSince } from './counts.ts'
import { activityLimits } from './limits.ts'

const day = 86_400
const week = 7 * day

/** The first measurement of an organization. */
export const firstMeasurement = { kind: 'channel activity', subject_id: 0, due_at: 0 }

const { kind, subject_id: subject } = firstMeasurement

/** Schedules the daily measurement of an organization's channels, from its creation on. */
export function scheduleMeasurement(change: Change, dueAt: number) {
  return scheduleJob(change, kind, subject, dueAt)
}

/**
 * Measures how many messages a week each channel receives, and which channels have had no messages for a long time.
 * Counting does not block other writes. Changes are written for some channels at a time, because each write delays
 * other writes.
 */
export const measureActivity: JobHandler = {
  kind,
  within: activityLimits.activityPauseSeconds,
  isLong: true,

  async run(context, job) {
    const { log, read, site, stopping } = context
    const begun = site.clock()
    const since = (days: number) => firstSince(read, log.state, begun - days * day)
    const [counted, recent] = [
      await since(activityLimits.trafficDays),
      await since(activityLimits.activeDays),
    ]
    const ids = [...log.state.channels.values()].map((channel) => channel.id)
    for (const part of chunksOf(ids, activityLimits.activityBatch)) {
      if (stopping.aborted) break
      const counts = await countSince(read, log.state, part, counted)
      await log.commit((change) => note(change, counts, recent))
    }
    await again(context, job, begun + (stopping.aborted ? 0 : activityLimits.activityPauseSeconds))
  },

  // There is no user to notify, and a later attempt may succeed.
  giveUp: (context, job) => again(context, job, context.site.clock() + activityLimits.activityPauseSeconds),
}

/** `dueAt` counts from the beginning of a run, which is the time that it has measured. */
function again(context: JobContext, job: Job, dueAt: number) {
  return finishAndThen(context, job, (change) => scheduleMeasurement(change, dueAt))
}

/** Writes the changes. `counts`: messages by channel; `recent`: the first message that is not old. */
async function note(change: Change, counts: Map<number, number>, recent: number) {
  const found = [...counts].map(([id, count]) => {
    const channel = change.state.channels.require(id)
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
 * Returns whether a channel counts as active. A new channel does before its first message. An archived channel keeps
 * its state: it receives no messages, and clients that do not know of archiving would receive an event about a channel
 * that they do not know.
 */
function isActive({ newestMessages }: RealmState, channel: ChannelRow, recent: number, now: number): boolean {
  if (channel.is_archived) return channel.is_recently_active
  if (channel.created_at >= now - activityLimits.activeDays * day) return true
  return (newestMessages.get(channel.recipient_id) ?? 0) >= recent
}

/** Returns the average number of messages per week, from a recent count; null while the channel is too young. */
function weeklyTraffic(count: number, age: number): number | null {
  if (age < activityLimits.trafficYoungDays * day) return null
  const perWeek = Math.round((count * week) / Math.min(age, activityLimits.trafficDays * day))
  // 0 means that the channel receives no messages.
  return Math.max(perWeek, Math.min(count, 1))
}
