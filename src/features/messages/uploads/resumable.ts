import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { ResumableUploadRow } from '../../../db/schema.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { memoizePer } from '../../../lib/collections/memoize-per.ts'
import type { Site } from '../../../lib/site.ts'

/** Returns an unexpired upload of this user, or throws 404. */
export async function resumableOf(
  read: Reader,
  realmId: number,
  userId: number,
  id: string,
  now: number,
): Promise<ResumableUploadRow> {
  const [row] = await read.rows(sql<ResumableUploadRow>`
    SELECT * FROM resumable_upload
    WHERE realm_id = ${realmId} AND id = ${id} AND user_id = ${userId} AND expires_at > ${now}`)
  if (!row) throw noSuchUpload()
  return row
}

export function noSuchUpload() {
  return new ApiError('There is no such upload.', 'NOT_FOUND', 404)
}

/** 409: another request has added to the upload, or ended it. */
export function wrongOffset() {
  return new ApiError('Upload-Offset is not where the upload stands', 'BAD_REQUEST', 409)
}

/** Returns the headers that say how far an upload is. */
export function progress({ received, size, answer, expires_at }: ResumableUploadRow) {
  return {
    'upload-offset': String(received),
    'upload-length': String(size),
    ...(answer === null && { 'upload-expires': new Date(expires_at * 1000).toUTCString() }),
  }
}

type Running = { stop: AbortController; ended: Promise<unknown> }

const runningOn = memoizePer<Site, Map<string, Running>>(() => new Map())

/**
 * Runs the request that adds to an upload, alone on this node: an earlier one, whose connection has perhaps broken
 * without the server noticing, stops reading and stores what it has.
 */
export async function addAlone<T>(
  site: Site,
  { realm_id, id }: Pick<ResumableUploadRow, 'realm_id' | 'id'>,
  work: (stopping: AbortSignal) => Promise<T>,
): Promise<T> {
  const key = keyOf(realm_id, id)
  while (runningOn(site).has(key)) await stopAdding(site, { realm_id, id })
  const stop = new AbortController()
  const done = work(stop.signal)
  const running = { stop, ended: done.catch(() => {}) }
  runningOn(site).set(key, running)
  try {
    return await done
  } finally {
    if (runningOn(site).get(key) === running) runningOn(site).delete(key)
  }
}

/** Resolves when no request of this node adds to the upload any longer. */
export async function stopAdding(site: Site, { realm_id, id }: Pick<ResumableUploadRow, 'realm_id' | 'id'>) {
  const key = keyOf(realm_id, id)
  for (;;) {
    const running = runningOn(site).get(key)
    if (!running) return
    running.stop.abort()
    await running.ended
    if (runningOn(site).get(key) === running) runningOn(site).delete(key)
  }
}

function keyOf(realmId: number, id: string) {
  return `${realmId} ${id}`
}
