import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'

/** What an organization's addresses are signed with. It never changes, and never leaves the server. */
export async function signingKey(read: Reader, realmId: number): Promise<string> {
  const [row] = await read.rows(sql<{ url_key: string }>`
    SELECT url_key FROM upload_store WHERE realm_id = ${realmId}`)
  return row!.url_key
}

/** The signature of a text for a purpose, which keeps that of one from being taken for that of another. */
export function sign(key: string, purpose: string, text: string, encoding: 'hex' | 'base64url'): string {
  return createHmac('sha256', key).update(`${purpose}:${text}`).digest(encoding)
}
