import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AttachmentRow } from '../../../db/schema.ts'
import { isSameSecret } from '../../../lib/secrets/is-same-secret.ts'
import { sign, signingKey } from '../kernel/uploads/signing.ts'
import { uploadLimits } from './limits.ts'

/** Returns an address that serves an upload without a login for a short time. */
export async function temporaryUrl(read: Reader, row: AttachmentRow, now: number): Promise<string> {
  const expires = now + uploadLimits.temporaryUrlSeconds
  const token = `${row.id}-${expires}-${signature(await signingKey(read, row.realm_id), row.id, expires)}`
  return `/user_uploads/temporary/${token}/${row.path.split('/').at(-1)}`
}

/** Returns the upload for the token of such an address, or undefined if the token is invalid or expired. */
export async function uploadOfToken(
  read: Reader,
  realmId: number,
  token: string,
  now: number,
): Promise<AttachmentRow | undefined> {
  const [, id, expires, given] = /^(\d{1,15})-(\d{1,15})-([\w-]{43})$/.exec(token) ?? []
  if (!id || !expires || !given || Number(expires) < now) return undefined
  const right = signature(await signingKey(read, realmId), Number(id), Number(expires))
  if (!isSameSecret(given, right)) return undefined
  const [row] = await read.rows(sql<AttachmentRow>`
    SELECT * FROM attachment WHERE realm_id = ${realmId} AND id = ${Number(id)} AND removed_at IS NULL`)
  return row
}

function signature(key: string, id: number, expires: number) {
  return sign(key, 'temporary', `${id}-${expires}`, 'base64url')
}
