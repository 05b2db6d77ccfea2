import { sql } from 'kysely'
import { scheduleJob } from '../../../jobs/job.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { nextDigests } from './digest-day.ts'

/** The first job of an organization that sends digests. It finds out when they are due. */
export const firstDigests = { kind: 'digests', subject_id: 0, due_at: 0 }

/** The kind of the jobs that send digests. Their subject is the user after whom they go on, 0 at the beginning. */
export const digestJob = firstDigests.kind

/** Schedules the next digests of an organization after a time, or none if it does not send any. Earlier schedules no longer apply. */
export async function scheduleDigests(change: Change, realm: RealmState, after: number) {
  await change.run(sql`DELETE FROM job WHERE realm_id = ${realm.id} AND kind = ${digestJob}`)
  if (realmSettings(realm).digest_emails_enabled) {
    await scheduleJob(change, digestJob, firstDigests.subject_id, nextDigests(realm, after))
  }
}
