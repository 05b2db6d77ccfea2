import type { AccountRow } from '../../../db/schema.ts'
import { scheduleJobBy } from '../../../jobs/job.ts'
import type { Consequence } from '../../../log/consequences.ts'
import { nextFullMemberAt } from '../../people/groups/system-groups.ts'
import { firstAnnouncement, scheduleAnnouncement, waitingDays } from './schedule-announcement.ts'

/**
 * Members who begin to wait are announced when they have waited. Those whom a new waiting period makes full members are announced with
 * that.
 */
export const consequences: Consequence[] = [
  {
    of: ['realm', 'account'],
    async write({ change, before, after: state, rows }) {
      if (waitingDays(before) !== waitingDays(state)) return scheduleAnnouncement(change, state)
      const { kind, subject_id } = firstAnnouncement
      const changed = rows('account').flatMap((row) =>
        row.after && isNew(row.before, row.after) ? row.after : [],
      )
      const next = nextFullMemberAt(state, changed, change.now)
      if (next !== undefined) await scheduleJobBy(change, kind, subject_id, next)
    },
  },
]

/** Returns whether a user may begin to wait: as a new or reactivated user, or in a new role. */
function isNew(before: AccountRow | null, after: AccountRow): boolean {
  return !before || before.role !== after.role || (after.is_active && !before.is_active)
}
