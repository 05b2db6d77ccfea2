import { sql } from 'kysely'
import type { AccountRow, AttachmentRow, MessageRow } from '../../../../db/schema.ts'
import { scheduleJob, scheduleJobs } from '../../../../jobs/job.ts'
import type { Change } from '../../../../log/change.ts'
import { isWaitingForThumbnail } from '../../../../markdown/render.ts'
import { mayReadLinking } from './access.ts'
import { attachmentUpdated } from './attachment.event.ts'
import { removalJob, thumbnailJob } from './job-kinds.ts'
import { claimLimits } from './limits.ts'
import { type AttachmentView, attachmentView, linkedQuery, spaceUsedNow } from './uploads.ts'

/** The message whose links are stored, in its state after the change. */
type Linking = Pick<MessageRow, 'id' | 'rendered_content' | 'sent_at'>

/**
 * Records the uploads that a new message links to. From now on every reader of the message may see them. A link by a
 * user who may not see the file gives no access. `paths`: from the facts of the rendered text.
 */
export async function linkUploads(change: Change, writer: AccountRow, message: Linking, paths: string[]) {
  const rows = await change.run(sql<AttachmentRow>`
    SELECT * FROM attachment WHERE realm_id = ${change.state.id} AND path = ANY(${paths}::text[])
      AND removed_at IS NULL AND id NOT IN (
        SELECT attachment_id FROM attachment_message
        WHERE realm_id = ${change.state.id} AND message_id = ${message.id})`)
  const seen: AttachmentRow[] = []
  for (const row of rows) if (await maySee(change, writer, row)) seen.push(row)
  if (seen.length === 0) return
  const ids = seen.map((row) => row.id)
  await change.run(sql`
    INSERT INTO attachment_message (realm_id, attachment_id, message_id, sent_at)
    SELECT ${change.state.id}, id, ${message.id}, ${message.sent_at} FROM unnest(${ids}::bigint[]) AS id`)
  await change.run(sql`
    UPDATE attachment SET unclaimed_since = NULL WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])`)
  await emitToOwners(change, ids)
  for (const row of seen) await catchUpWithThumbnail(change, row, message)
}

async function maySee(change: Change, writer: AccountRow, { id, owner_id }: AttachmentRow) {
  return owner_id === writer.id || mayReadLinking(change.state, writer, (query) => change.run(query), id)
}

/**
 * Replaces the recorded links of an edited message. Returns the editor's own uploads that no message links to any more
 * (level 285).
 */
export async function relinkUploads(
  change: Change,
  editor: AccountRow,
  message: Linking,
  paths: string[],
): Promise<AttachmentView[]> {
  const lost = await change.run(sql<{ attachment_id: number }>`
    DELETE FROM attachment_message l USING attachment a
    WHERE l.realm_id = ${change.state.id} AND l.message_id = ${message.id} AND a.realm_id = l.realm_id
      AND a.id = l.attachment_id AND a.path <> ALL(${paths}::text[]) RETURNING l.attachment_id`)
  await linkUploads(change, editor, message, paths)
  const left = await release(
    change,
    lost.map((row) => row.attachment_id),
  )
  return left.filter((row) => row.owner_id === editor.id).map(attachmentView)
}

/** Removes the links of deleted messages. They no longer give access to uploads. */
export async function unlinkUploads(change: Change, messageIds: number[]) {
  const lost = await change.run(sql<{ attachment_id: number }>`
    DELETE FROM attachment_message
    WHERE realm_id = ${change.state.id} AND message_id = ANY(${messageIds}::bigint[]) RETURNING attachment_id`)
  await release(change, [...new Set(lost.map((row) => row.attachment_id))])
}

/** Returns those of the uploads that no message links to any more. They are kept for a while. */
async function release(change: Change, ids: number[]) {
  if (ids.length === 0) return []
  await emitToOwners(change, ids)
  const left = await change.run(
    linkedQuery(
      change.state.id,
      sql`a.id = ANY(${ids}::bigint[]) AND NOT EXISTS (
        SELECT FROM attachment_message l WHERE l.realm_id = a.realm_id AND l.attachment_id = a.id)`,
    ),
  )
  const unclaimed = left.map((row) => row.id)
  await change.run(sql`
    UPDATE attachment SET unclaimed_since = ${change.now}
    WHERE realm_id = ${change.state.id} AND id = ANY(${unclaimed}::bigint[])`)
  await scheduleJobs(change, removalJob, unclaimed, change.now + claimLimits.unclaimedUploadDays * 86_400)
  return left
}

/** One message may link to hundreds of files, and the log keeps what their owners are told: so they share the messages that are listed. */
async function emitToOwners(change: Change, ids: number[]) {
  const most = Math.max(1, Math.floor(claimLimits.messagesListed / ids.length))
  const rows = await change.run(linkedQuery(change.state.id, sql`a.id = ANY(${ids}::bigint[])`, most))
  const used = await spaceUsedNow(change)
  for (const row of rows) change.emit(attachmentUpdated(row, used), { users: [row.owner_id] })
}

/**
 * Schedules the thumbnail job for a message whose thumbnail was created after the message was rendered, but before the
 * job could find the message.
 */
async function catchUpWithThumbnail(change: Change, row: AttachmentRow, message: Linking) {
  const isLate = row.thumbnail === 'made' || row.thumbnail === 'failed'
  if (isLate && isWaitingForThumbnail(message.rendered_content, row.path)) {
    await scheduleJob(change, thumbnailJob, row.id, change.now)
  }
}
