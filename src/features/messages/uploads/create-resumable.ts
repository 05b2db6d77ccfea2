import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { ResumableUploadRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { filePart } from '../../../http/body/body.ts'
import { command } from '../../../http/endpoint.ts'
import { bodyStream } from '../../../http/params.ts'
import { ProtocolAnswer } from '../../../http/responses/answer-kinds.ts'
import { scheduleMissingJobs } from '../../../jobs/job.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import { realmUrl } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import { resumableJob } from '../kernel/uploads/job-kinds.ts'
import { spaceUsedNow } from '../kernel/uploads/uploads.ts'
import { addPart, endResumable } from './add-part.ts'
import { uploadLimits } from './limits.ts'
import { addAlone, progress } from './resumable.ts'
import { checkQuota } from './store-upload.ts'
import { checkVersion, maxBytes, metadata, statedBytes, tooLarge, tusHeaders } from './tus.ts'

export const createResumable = command('POST /api/v1/tus', {
  summary: 'Begin a resumable upload',
  root: true,
  slashed: true,
  headers: tusHeaders,
  access: requireUser,
  params: { body: bodyStream(filePart) },
  returns: {},
  async handle(context) {
    const { realm, me, params, request, site, commit } = context
    checkVersion(request)
    if (request.header('upload-defer-length') !== undefined) {
      throw badRequest('Upload-Defer-Length is not supported')
    }
    const size = statedBytes(request, 'Upload-Length')
    const name = metadata(request, 'filename') || 'uploaded-file'
    if (size > maxBytes) throw tooLarge()
    const begun = await commit(async (change) => {
      checkQuota((await spaceUsedNow(change)) + size, site.uploadQuotaMib)
      await makeRoom(change, me.id, size)
      return begin(change, me.id, name, size)
    })
    const row =
      params.body || size === 0
        ? await addAlone(site, begun, (stopping) => addPart(context, begun, params.body, stopping))
        : begun
    const location = `${realmUrl(site, realm.row)}/api/v1/tus/${row.id}`
    const fields = row.answer === null ? undefined : JSON.parse(row.answer)
    return new ProtocolAnswer(201, { location, ...progress(row) }, fields)
  },
})

async function begin(change: Change, user_id: number, name: string, size: number) {
  const id = randomBytes(18).toString('base64url')
  const expiresAt = change.now + uploadLimits.resumableSeconds
  const row = firstIn(
    await change.run(sql<ResumableUploadRow>`
    INSERT INTO resumable_upload (realm_id, id, user_id, name, size, changed_at, expires_at)
    VALUES (${change.state.id}, ${id}, ${user_id}, ${name}, ${size}, ${change.now}, ${expiresAt}) RETURNING *`),
  )
  await scheduleMissingJobs(change, resumableJob, [{ subjectId: 0, dueAt: expiresAt }])
  return row
}

/** Uploads that have had no part for long give way to a new one. Throws if there are too many others. */
async function makeRoom(change: Change, userId: number, size: number) {
  const rows = await change.run(sql<ResumableUploadRow>`
    SELECT * FROM resumable_upload
    WHERE realm_id = ${change.state.id} AND user_id = ${userId} AND answer IS NULL ORDER BY changed_at`)
  let [count, bytes] = [rows.length + 1, rows.reduce((sum, row) => sum + row.size, size)]
  for (const row of rows) {
    if (count <= uploadLimits.resumableUploads && bytes <= uploadLimits.resumableMib * 1024 * 1024) return
    if (row.changed_at + uploadLimits.resumableIdleSeconds > change.now) {
      throw badRequest('You have too many unfinished uploads')
    }
    await endResumable(change, row)
    count -= 1
    bytes -= row.size
  }
}
