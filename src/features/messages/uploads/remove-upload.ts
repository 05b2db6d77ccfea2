import { sql } from 'kysely'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import type { AttachmentRow } from '../../../db/schema.ts'
import { finishJob, type JobContext, type JobHandler, parkJob, scheduleJob } from '../../../jobs/job.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { expectFiles } from '../../organization/kernel/stored-files/unrecorded.ts'
import { attachmentRemoved } from '../kernel/uploads/attachment.event.ts'
import { removalJob } from '../kernel/uploads/job-kinds.ts'
import { claimLimits } from '../kernel/uploads/limits.ts'
import { thumbnailFormats } from '../kernel/uploads/thumbnails.ts'
import { countSpace } from '../kernel/uploads/uploads.ts'
import { contentPath, thumbnailPath } from './paths.ts'

/** Makes the upload inaccessible immediately. A job removes its files soon after. */
export async function withdrawUpload(
  change: Change,
  { id, owner_id, size }: Pick<AttachmentRow, 'id' | 'owner_id' | 'size'>,
) {
  await change.run(sql`
    DELETE FROM attachment_message WHERE realm_id = ${change.state.id} AND attachment_id = ${id}`)
  await change.run(sql`
    UPDATE attachment SET removed_at = ${change.now} WHERE realm_id = ${change.state.id} AND id = ${id}`)
  await scheduleJob(change, removalJob, id, change.now)
  change.emit(attachmentRemoved(id, await countSpace(change, -size)), { users: [owner_id] })
}

/** Removes the content of an upload and its thumbnails. */
export async function removeFiles(store: FileStore, path: string) {
  for (const file of storedFilesOf(path)) await store.remove(file)
}

/** Returns the possible paths of an upload's content and its thumbnails in the file store. */
export function storedFilesOf(path: string): string[] {
  return [contentPath(path), ...thumbnailFormats.map(({ name }) => thumbnailPath(path, name))]
}

/** Removes the files of deleted uploads, and deletes uploads that have been unreferenced for a long time. */
export const removing: JobHandler = {
  kind: removalJob,
  within: claimLimits.unclaimedUploadDays * 86_400,

  async run(context, job) {
    const { log, adapters } = context
    const row = await rowOf(context, job.subject_id)
    if (row && row.removed_at !== null) {
      await removeFiles(adapters.files, row.path)
    }
    await log.commit(async (change) => {
      if (!(await finishJob(change, job)) || !row) return
      if (row.removed_at === null) return withdrawIfUnclaimed(change, row)
      await change.deleteAll('attachment', [{ id: row.id }])
      // A thumbnail that is being drawn may be stored after this, and that node may stop before it notices.
      if (row.thumbnail === 'wanted') await expectFiles(change, storedFilesOf(row.path))
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit((change) => parkJob(change, job, reason))
  },
}

async function rowOf({ log, read }: JobContext, id: number): Promise<AttachmentRow | undefined> {
  const [row] = await read.rows<AttachmentRow>(
    sql`SELECT * FROM attachment WHERE realm_id = ${log.state.id} AND id = ${id}`,
  )
  return row
}

async function withdrawIfUnclaimed(change: Change, row: AttachmentRow) {
  const [current] = await change.run(sql<AttachmentRow>`
    SELECT * FROM attachment WHERE realm_id = ${change.state.id} AND id = ${row.id} AND removed_at IS NULL`)
  if (!current || current.unclaimed_since === null) return
  const keepSeconds = claimLimits.unclaimedUploadDays * 86_400
  const unclaimed = Math.min(change.now, current.unclaimed_since)
  if (await isMeantFor(change, current)) {
    await scheduleJob(change, removalJob, current.id, change.now + keepSeconds)
  } else if (unclaimed + keepSeconds <= change.now) {
    await withdrawUpload(change, current)
  } else {
    await scheduleJob(change, removalJob, current.id, unclaimed + keepSeconds)
  }
}

/** Returns whether its owner has a draft, a scheduled message or a snippet that links to it. */
async function isMeantFor(change: Change, { path, owner_id }: AttachmentRow) {
  // Names may be percent-encoded in addresses, the rest of a path is not.
  const part = path.split('/').slice(0, 3).join('/')
  const inTable = (table: string, owner: string) => sql`EXISTS (
    SELECT FROM ${sql.table(table)} WHERE realm_id = ${change.state.id} AND ${sql.ref(owner)} = ${owner_id}
      AND position(${part} IN content) > 0)`
  const found = firstIn(
    await change.run(sql<{ is: boolean }>`
    SELECT ${inTable('draft', 'user_id')} OR ${inTable('scheduled_message', 'sender_id')}
      OR ${inTable('saved_snippet', 'user_id')} AS is`),
  )
  return found.is
}
