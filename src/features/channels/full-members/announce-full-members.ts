import { finishAndThen, finishJob, type JobHandler } from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import { systemGroupId } from '../../kernel/groups/access.ts'
import { fullMembersSince } from '../../people/groups/system-groups.ts'
import { membersAdded } from '../../people/groups/user_group.event.ts'
import { emitShown } from '../kernel/channels/emit-shown.ts'
import { shownByWaiting } from '../kernel/channels/visibility.ts'
import { firstAnnouncement, scheduleAnnouncement } from './schedule-announcement.ts'

/**
 * Notifies clients of members whose waiting period has ended since the job was due: no row of the organization changes with that.
 * They have the permissions of full members even before.
 */
export const announceFullMembers: JobHandler = {
  kind: firstAnnouncement.kind,
  within: Number.POSITIVE_INFINITY,

  async run({ log }, job) {
    await log.commit(async (change) => {
      if (!(await finishJob(change, job))) return
      if (job.due_at !== firstAnnouncement.due_at) announce(change, job.due_at)
      await scheduleAnnouncement(change, change.state)
    })
  },

  // There is no user to notify, and a later attempt may succeed.
  giveUp: (context, job) =>
    finishAndThen(context, job, (change) => scheduleAnnouncement(change, change.state)),
}

function announce(change: Change, since: number) {
  const { state } = change
  const joined = fullMembersSince(state, since)
  if (joined.length === 0) return
  change.emit(membersAdded(systemGroupId(state, 'role:fullmembers'), joined), { everyone: true })
  emitShown(change, state, shownByWaiting(state, joined, since - 1))
}
