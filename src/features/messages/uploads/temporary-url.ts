import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AttachmentRow } from '../../../db/schema.ts'
import { isSameSecret } from '../../../lib/is-same-secret.ts'
import { limits } from '../../../lib/limits.ts'
import { sign, signingKey } from '../kernel/uploads/signing.ts'

/** An address under which an upload can be had without login, for a moment. */
export async function temporaryUrl(read: Reader, row: AttachmentRow, now: number): Promise<string> {
  const expires = now + limits.temporaryUrlSeconds
  const token = `${row.id}-${expires}-${signature(await signingKey(read, row.realm_id), row.id, expires)}`
  return `/user_uploads/temporary/${token}/${row.path.split('/').at(-1)}`
}

/** The upload that the token of such an address opens; undefined if it opens none, or no longer. */
export async function openedBy(
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
