import { sql } from 'kysely'
import type { AttachmentRow, MessageRow } from '../../../db/schema.ts'
import { finishJob, type JobContext, type JobHandler, parkJob, TryLater } from '../../../jobs/job.ts'
import { NoFreeSlot } from '../../../lib/async/fair-semaphore.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import { must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import { withThumbnail } from '../../../markdown/render.ts'
import { pictureCaller } from '../../organization/kernel/pictures/drawing-slots.ts'
import { pictureLimits } from '../../organization/kernel/pictures/limits.ts'
import { abandonFiles } from '../../organization/kernel/stored-files/unrecorded.ts'
import { rewriteHtml } from '../kernel/messages/rewrite-html.ts'
import { thumbnailJob } from '../kernel/uploads/job-kinds.ts'
import { pictureOf } from '../kernel/uploads/thumbnails.ts'
import { uploadLimits } from './limits.ts'
import { contentPath } from './paths.ts'
import { storeThumbnails } from './pictures.ts'
import { storedFilesOf } from './remove-upload.ts'

/** Creates the thumbnails of an uploaded picture and puts them into the messages that wait for them. */
export const thumbnailing: JobHandler = {
  kind: thumbnailJob,
  within: 0,
  // Pictures are processed one after the other, so a job may wait for many others.
  isLong: true,
  concurrency: uploadLimits.concurrentThumbnails,

  async run(context, job) {
    const { log } = context
    const row = await rowOf(context, job.subject_id)
    const made = row && row.thumbnail === 'wanted' ? await make(context, row) : row?.thumbnail
    if (row && made) await showInEarlier(context, { ...row, thumbnail: made })
    await log.commit(async (change) => {
      if (!(await finishJob(change, job)) || !row || !made) return
      const kept = await change.run(sql`
        UPDATE attachment SET thumbnail = ${made}
        WHERE realm_id = ${log.state.id} AND id = ${row.id} AND removed_at IS NULL RETURNING id`)
      // Its owner may have deleted it meanwhile, and its files may have been removed before these were stored.
      if (kept.length === 0) return abandonFiles(change, storedFilesOf(row.path))
      await showIn(change, { ...row, thumbnail: made })
    })
  },

  async giveUp({ log }, job, reason) {
    await log.commit((change) => parkJob(change, job, reason))
  },
}

async function rowOf({ log, read }: JobContext, id: number): Promise<AttachmentRow | undefined> {
  const [row] = await read.rows<AttachmentRow>(
    sql`SELECT * FROM attachment WHERE realm_id = ${log.state.id} AND id = ${id} AND removed_at IS NULL`,
  )
  return row
}

async function make({ adapters, stopping }: JobContext, row: AttachmentRow): Promise<'made' | 'failed'> {
  const { width, height, path, is_animated } = row
  const picture = { path, is_animated, width: must(width, 'width'), height: must(height, 'height') }
  const read = async () => (await adapters.files.open(contentPath(path)))?.content
  const drawer = { caller: pictureCaller(row.realm_id, row.owner_id), gone: stopping }
  try {
    return await storeThumbnails(drawer, pictureLimits.pictureWaitSeconds, adapters.files, picture, read)
  } catch (error) {
    if (error instanceof NoFreeSlot) throw new TryLater('Other pictures are drawn first.', 1)
    throw error
  }
}

/** Returns the messages that wait for the picture, in which its place is kept. */
async function waitingFor({ log, read }: JobContext, row: AttachmentRow): Promise<number[]> {
  const messages = await read.rows<{ id: number }>(sql`
    SELECT m.id FROM ${waitingMessages(log.state.id, row)} ORDER BY m.id`)
  return messages.map(({ id }) => id)
}

/** Shows the picture in all but the last of very many messages, in steps. The last ones, and those that come meanwhile, are left. */
async function showInEarlier(context: JobContext, row: AttachmentRow) {
  const parts = chunksOf(await waitingFor(context, row), uploadLimits.shownPerStep)
  for (const ids of parts.slice(0, -1)) await context.log.commit((change) => showIn(change, row, ids))
}

/** Shows the picture in these messages, unless it has been deleted. Without any, it does so in all that wait for it. */
async function showIn(change: Change, row: AttachmentRow, ids?: number[]) {
  const those = ids ? sql`AND m.id = ANY(${ids}::bigint[])` : sql``
  const messages = await change.run(sql<MessageRow>`
    SELECT m.* FROM ${waitingMessages(change.state.id, row)} ${those} ORDER BY m.id`)
  for (const message of messages) {
    const html = withThumbnail(message.rendered_content, row.path, pictureOf(row))
    if (html !== message.rendered_content) await rewriteHtml(change, message, html)
  }
}

function waitingMessages(realmId: number, { id }: AttachmentRow) {
  return sql`attachment a JOIN attachment_message l ON l.realm_id = a.realm_id AND l.attachment_id = a.id
    JOIN message m ON m.realm_id = l.realm_id AND m.id = l.message_id
    WHERE a.realm_id = ${realmId} AND a.id = ${id} AND a.removed_at IS NULL
      AND m.rendered_content LIKE '%image-loading-placeholder%'`
}
