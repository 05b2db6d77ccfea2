import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { ReceivedFile } from '../../../http/body/files.ts'
import type { CommandContext } from '../../../http/endpoint.ts'
import type { Params } from '../../../http/params.ts'
import { scheduleJob } from '../../../jobs/job.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { NoFreeSlot } from '../../../lib/async/fair-semaphore.ts'
import { firstCharacters } from '../../../lib/text/characters.ts'
import type { Change } from '../../../log/change.ts'
import { type Drawer, drawerOf } from '../../organization/kernel/pictures/drawing-slots.ts'
import { expectFiles, recordFiles } from '../../organization/kernel/stored-files/unrecorded.ts'
import { attachmentAdded } from '../kernel/uploads/attachment.event.ts'
import { removalJob, thumbnailJob } from '../kernel/uploads/job-kinds.ts'
import { claimLimits } from '../kernel/uploads/limits.ts'
import { countSpace } from '../kernel/uploads/uploads.ts'
import { contentTypeOf, headLength } from './content-types.ts'
import { uploadLimits } from './limits.ts'
import { contentPath, newPath } from './paths.ts'
import { isSmall, type Measures, measure, storeThumbnails } from './pictures.ts'
import { removeFiles, storedFilesOf } from './remove-upload.ts'

/** The response for a new upload. */
export type UploadAnswer = { uri: string; url: string; filename: string }

/** A file whose content is stored, and whose row is yet to be written. */
export type StagedUpload = Awaited<ReturnType<typeof lookAt>> & { owner_id: number; path: string }

/**
 * Stores a file as an upload of the caller, and returns the response. `also` runs in the change that writes its row.
 */
export async function storeUpload(
  context: CommandContext<Params, AccountRow>,
  file: ReceivedFile,
  also?: (change: Change, answer: UploadAnswer) => Promise<void>,
): Promise<UploadAnswer> {
  const { adapters, site, conclude } = context
  const upload = await stageUpload(context, drawerOf(context), file)
  return orRemove(adapters.files, upload.path, () =>
    conclude(async (change) => {
      await writeUpload(change, upload, site.uploadQuotaMib)
      const url = `/user_uploads/${upload.path}`
      const answer = { uri: url, url, filename: upload.name }
      await also?.(change, answer)
      return answer
    }),
  )
}

type StagingContext = Pick<CommandContext, 'realm' | 'me' | 'adapters' | 'commit'>

/** Stores the content of a file. It is removed after a while, unless `writeUpload` follows. */
export async function stageUpload(
  { realm, me, adapters, commit }: StagingContext,
  drawer: Drawer,
  file: ReceivedFile,
): Promise<StagedUpload> {
  const path = newPath(realm.id, file.name)
  await commit((change) => expectFiles(change, storedFilesOf(path)))
  const upload = { ...(await lookAt(drawer, file, path, adapters.files)), owner_id: me.id, path }
  await file.keep(contentPath(path))
  return upload
}

/** Writes the row of an upload, and tells its owner. Throws if the organization has no room for it. */
export async function writeUpload(change: Change, upload: StagedUpload, quotaMib: number | undefined) {
  await recordFiles(change, storedFilesOf(upload.path))
  const used = await countSpace(change, upload.size)
  checkQuota(used, quotaMib)
  const row = await insert(change, upload)
  change.emit(attachmentAdded({ ...row, messages: [] }, used), { users: [upload.owner_id] })
}

/** Detects the type and size of a file. Thumbnails of a small picture are created immediately. */
async function lookAt(drawer: Drawer, file: ReceivedFile, path: string, store: FileStore) {
  const head = await buffer(file.read({ start: 0, end: headLength - 1 }))
  const content_type = await contentTypeOf(head)
  const measures = await measure(drawer, content_type, file.size, () => file.read())
  const thumbnail = !measures
    ? null
    : isSmall(measures)
      ? await thumbnailsNow(drawer, store, { ...measures, path }, file)
      : 'wanted'
  const name = firstCharacters(file.name.toWellFormed(), uploadLimits.fileNameLength)
  return { name, size: file.size, content_type, ...measures, thumbnail }
}

/** Creates thumbnails, unless other work would make the uploader wait. Then a job creates them later. */
async function thumbnailsNow(
  drawer: Drawer,
  store: FileStore,
  picture: Measures & { path: string },
  file: ReceivedFile,
): Promise<'made' | 'failed' | 'wanted'> {
  try {
    return await storeThumbnails(drawer, uploadLimits.thumbnailWaitSeconds, store, picture, async () =>
      file.read(),
    )
  } catch (error) {
    if (error instanceof NoFreeSlot) return 'wanted'
    throw error
  }
}

async function insert(change: Change, upload: StagedUpload) {
  const row = await change.insert('attachment', {
    ...upload,
    created_at: change.now,
    unclaimed_since: change.now,
  })
  if (row.thumbnail === 'wanted') await scheduleJob(change, thumbnailJob, row.id, change.now)
  await scheduleJob(change, removalJob, row.id, change.now + claimLimits.unclaimedUploadDays * 86_400)
  return row
}

/** Throws if an organization's uploads would take more bytes than it may have. */
export function checkQuota(used: number, quotaMib: number | undefined) {
  if (quotaMib === undefined || used <= quotaMib * 1024 * 1024) return
  throw new ApiError("Upload would exceed your organization's upload quota.", 'REALM_UPLOAD_QUOTA')
}

/**
 * Removes the file if its row could not be written. After an unexpected error the row may have been written, so the
 * file stays.
 */
async function orRemove<T>(store: FileStore, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) await removeStaged(store, [{ path }])
    throw error
  }
}

/** Removes files whose rows were not written. What cannot be removed now is removed later, as its path was noted. */
export async function removeStaged(store: FileStore, uploads: Pick<StagedUpload, 'path'>[]) {
  for (const { path } of uploads) await removeFiles(store, path).catch(() => {})
}
