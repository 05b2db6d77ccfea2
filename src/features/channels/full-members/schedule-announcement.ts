import { cancelJob, scheduleJob } from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { nextFullMemberAt } from '../../people/groups/system-groups.ts'

/** The first job of an organization with a waiting period. It finds out when the next member has waited. */
export const firstAnnouncement = { kind: 'full members', subject_id: 0, due_at: 0 }

const { kind, subject_id: subject } = firstAnnouncement

/**
 * Schedules the announcement for when the next member becomes a full member, or cancels it if none is waiting. Those who are full
 * members already must be known.
 */
export async function scheduleAnnouncement(change: Change, realm: RealmState) {
  const next = nextFullMemberAt(realm, realm.users.values(), change.now)
  await (next === undefined ? cancelJob(change, kind, subject) : scheduleJob(change, kind, subject, next))
}

export function waitingDays(realm: RealmState): number {
  return realmSettings(realm).waiting_period_threshold
}
