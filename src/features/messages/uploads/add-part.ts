import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { FileStore, IncomingFile } from '../../../adapters/files/file-store.ts'
import type { AccountRow, ResumableUploadRow } from '../../../db/schema.ts'
import { ReceivedFile } from '../../../http/body/files.ts'
import type { CommandContext } from '../../../http/endpoint.ts'
import type { Params } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { guard, ignore } from '../../../lib/guard.ts'
import type { Change } from '../../../log/change.ts'
import {
  abandonFiles,
  expectFiles,
  postponeRemoval,
} from '../../organization/kernel/stored-files/unrecorded.ts'
import { uploadLimits } from './limits.ts'
import { noSuchUpload, wrongOffset } from './resumable.ts'
import { storeUpload, type UploadAnswer } from './store-upload.ts'
import { tooLarge } from './tus.ts'

type Context = CommandContext<Params, AccountRow>

/**
 * Adds what arrives to an upload, also if the connection breaks. With its last byte, the upload becomes an ordinary one.
 * Returns the upload as it then is.
 */
export async function addPart(
  context: Context,
  row: ResumableUploadRow,
  body: Readable | undefined,
  stopping: AbortSignal,
): Promise<ResumableUploadRow> {
  if (row.answer !== null) return row
  const left = row.size - row.received
  const part = await context.adapters.files.receive(arriving(body, left, stopping))
  try {
    if (part.size === left) return await finish(context, row, part)
    return part.size === 0 ? row : await keepPart(context, row, part)
  } finally {
    await part.discard()
  }
}

/** Yields the body until its connection breaks, or a later request takes over. Throws 413 if it is too large. */
function arriving(body: Readable | undefined, most: number, stopping: AbortSignal): Readable {
  const take = async function* () {
    let size = 0
    for await (const piece of untilBroken(body, stopping)) {
      size += piece.length
      if (size > most) throw tooLarge()
      yield piece
    }
  }
  return Readable.from(take())
}

async function* untilBroken(body: Readable | undefined, stopping: AbortSignal): AsyncGenerator<Buffer> {
  if (!body) return
  const stop = guard(ignore, () => body.destroy())
  if (stopping.aborted) stop()
  else stopping.addEventListener('abort', stop, { once: true })
  const pieces = body.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      // The part before the break counts; the break itself is no error here.
      const next = await pieces.next().catch(() => undefined)
      if (!next || next.done) return
      yield next.value
    }
  } finally {
    stopping.removeEventListener('abort', stop)
  }
}

async function keepPart(
  { realm, commit, adapters }: Context,
  row: ResumableUploadRow,
  part: IncomingFile,
): Promise<ResumableUploadRow> {
  if (row.parts.length >= uploadLimits.resumableParts) throw badRequest('The upload has too many parts')
  const path = `${realm.id}/unfinished/${randomUUID()}`
  await commit((change) => expectFiles(change, [path]))
  await part.keep(path)
  try {
    return await commit((change) => advance(change, row, part.size, path))
  } catch (error) {
    // If it cannot be removed now, it is removed later, as its path was noted.
    if (error instanceof ApiError) await adapters.files.remove(path).catch(() => {})
    throw error
  }
}

async function advance(change: Change, row: ResumableUploadRow, bytes: number, path: string) {
  await postponeRemoval(change, path, row.expires_at)
  const [now] = await change.run(sql<ResumableUploadRow>`
    UPDATE resumable_upload
    SET received = received + ${bytes}, parts = parts || ${path}::text, changed_at = ${change.now}
    WHERE ${isStill(change, row)} RETURNING *`)
  if (!now) throw wrongOffset()
  return now
}

/** Stores the parts and the rest that has just arrived, as one upload. */
async function finish(context: Context, row: ResumableUploadRow, rest: IncomingFile) {
  const whole = await assembleParts(context.adapters.files, row, rest)
  let finished = row
  try {
    // The file is complete, whether or not its uploader still waits.
    const { signal } = new AbortController()
    const request = { ...context.request, gone: () => signal }
    const file = new ReceivedFile(row.name, '', whole)
    await storeUpload({ ...context, request }, file, async (change, answer) => {
      finished = await conclude(change, row, answer)
    })
  } catch (error) {
    if (isFinal(error)) await context.commit((change) => endResumable(change, row))
    throw error
  } finally {
    await whole.discard()
  }
  return finished
}

/** Whether sending the rest again cannot succeed either. */
function isFinal(error: unknown) {
  return error instanceof ApiError && error.code === 'REALM_UPLOAD_QUOTA'
}

/** Returns one file of the stored parts and the last one. */
async function assembleParts(files: FileStore, { parts }: ResumableUploadRow, rest: IncomingFile) {
  if (parts.length === 0) return rest
  const read = async function* () {
    for (const path of parts) {
      const part = await files.open(path)
      if (!part) throw noSuchUpload()
      yield* part.content
    }
    yield* rest.read()
  }
  return files.receive(Readable.from(read()))
}

async function conclude(change: Change, row: ResumableUploadRow, answer: UploadAnswer) {
  const [finished] = await change.run(sql<ResumableUploadRow>`
    UPDATE resumable_upload
    SET received = size, parts = '{}', answer = ${JSON.stringify(answer)}, changed_at = ${change.now}
    WHERE ${isStill(change, row)} RETURNING *`)
  if (!finished) throw wrongOffset()
  await abandonFiles(change, row.parts)
  return finished
}

/** Ends an upload that is not finished. */
export async function endResumable(change: Change, { id }: ResumableUploadRow): Promise<boolean> {
  const [ended] = await change.run(sql<{ parts: string[] }>`
    DELETE FROM resumable_upload WHERE realm_id = ${change.state.id} AND id = ${id} RETURNING parts`)
  await abandonFiles(change, ended?.parts ?? [])
  return ended !== undefined
}

/** The condition that no other request has changed the upload. */
function isStill(change: Change, { id, received }: ResumableUploadRow) {
  return sql`realm_id = ${change.state.id} AND id = ${id} AND received = ${received} AND answer IS NULL
    AND expires_at > ${change.now}`
}
