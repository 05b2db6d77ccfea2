import { sql } from 'kysely'
import { scheduleJob, scheduleMissingJobs } from '../../../../jobs/job.ts'
import { notReady } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import { storedFileLimits } from './limits.ts'

/** The kind of the job that removes an organization's unrecorded files. */
export const unrecordedFilesJob = 'unrecorded_files'

/**
 * Registers files before they are stored, so that they are removed if the server stops or the request fails before a
 * row refers to them.
 */
export async function expectFiles(change: Change, paths: string[]) {
  const removeAt = change.now + storedFileLimits.unrecordedFileSeconds
  await note(change, paths, removeAt)
  await scheduleMissingJobs(change, unrecordedFilesJob, [{ subjectId: 0, dueAt: removeAt }])
}

/**
 * Marks files as recorded, within the change that writes their rows. Throws 503 if that comes so late that the files
 * have been removed.
 */
export async function recordFiles(change: Change, paths: string[]) {
  const recorded = await change.run(sql`
    DELETE FROM unrecorded_file
    WHERE realm_id = ${change.state.id} AND path = ANY(${paths}::text[]) AND remove_at > 0 RETURNING 1 AS one`)
  if (recorded.length < paths.length) throw tookTooLong()
}

/** Keeps a file that was registered, without a row, until a time. Throws 503 if it has been removed already. */
export async function postponeRemoval(change: Change, path: string, until: number) {
  const kept = await change.run(sql`
    UPDATE unrecorded_file SET remove_at = ${until}
    WHERE realm_id = ${change.state.id} AND path = ${path} AND remove_at > 0 RETURNING 1 AS one`)
  if (kept.length === 0) throw tookTooLong()
}

/**
 * Marks files for removal, within the change that removes the last row that refers to them. They are removed soon
 * after.
 */
export async function abandonFiles(change: Change, paths: string[]) {
  if (paths.length === 0) return
  await note(change, paths, change.now)
  await scheduleJob(change, unrecordedFilesJob, 0, change.now)
}

async function note(change: Change, paths: string[], removeAt: number) {
  await change.run(sql`
    INSERT INTO unrecorded_file (realm_id, path, remove_at)
    SELECT ${change.state.id}, path, ${removeAt} FROM unnest(${paths}::text[]) AS path
    ON CONFLICT (realm_id, path) DO UPDATE SET remove_at = excluded.remove_at`)
}

function tookTooLong() {
  return notReady('Storing the file took too long. Try again.')
}
