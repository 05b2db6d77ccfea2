import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import { firstIn } from '../../../../lib/must.ts'

/** Returns the key that signs an organization's addresses. It never changes, and never leaves the server. */
export async function signingKey(read: Reader, realmId: number): Promise<string> {
  const row = firstIn(
    await read.rows(sql<{ url_key: string }>`
    SELECT url_key FROM upload_store WHERE realm_id = ${realmId}`),
  )
  return row.url_key
}

/** Returns the signature of a text. The purpose keeps a signature from being valid for another purpose. */
export function sign(key: string, purpose: string, text: string, encoding: 'hex' | 'base64url'): string {
  return createHmac('sha256', key).update(`${purpose}:${text}`).digest(encoding)
}
