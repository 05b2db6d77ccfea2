import { buffer } from 'node:stream/consumers'
import type { IncomingFile } from '../adapters/files/file-store.ts'
import type { AttachmentRow } from '../db/schema.ts'
import { thumbnailJob } from '../features/messages/kernel/uploads/job-kinds.ts'
import { countSpace } from '../features/messages/kernel/uploads/uploads.ts'
import { contentTypeOf, headLength } from '../features/messages/uploads/content-types.ts'
import { uploadLimits } from '../features/messages/uploads/limits.ts'
import { contentPath } from '../features/messages/uploads/paths.ts'
import { measure } from '../features/messages/uploads/pictures.ts'
import { scheduleJob } from '../jobs/job.ts'
import { firstCharacters } from '../lib/text/characters.ts'
import { withoutUnprintable } from '../lib/text/unprintable.ts'
import type { Change } from '../log/change.ts'
import { importDrawer } from './add-avatar.ts'

/** `name`: as its owner calls it. */
type Upload = { path: string; name: string; owner_id: number; created_at: number }

/** Makes an upload of a file that comes from another server. */
export async function addUpload(
  change: Change,
  { name, ...upload }: Upload,
  content: IncomingFile,
): Promise<AttachmentRow> {
  const content_type = await contentTypeOf(await buffer(content.read({ start: 0, end: headLength - 1 })))
  const drawer = importDrawer(change, upload.owner_id)
  const measures = await measure(drawer, content_type, content.size, () => content.read())
  await content.keep(contentPath(upload.path))
  await countSpace(change, content.size)
  const row = await change.insert('attachment', {
    ...upload,
    content_type,
    ...measures,
    name: firstCharacters(withoutUnprintable(name), uploadLimits.fileNameLength),
    size: content.size,
    thumbnail: measures ? 'wanted' : null,
  })
  if (measures) await scheduleJob(change, thumbnailJob, row.id, change.now)
  return row
}
