import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import type { AccountRow, AttachmentRow, MessageRow } from '../../../../db/schema.ts'
import { notLoggedIn } from '../../../../http/access.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isSpectator } from '../../../kernel/channels/web-public.ts'
import { visibleIn, visibleSql } from '../../../kernel/messages/access.ts'

/**
 * Returns an upload that the reader may see: their own, or one linked from a message that they may read. Throws 404 if
 * no upload has this path, and 403 if the reader may not see it.
 */
export async function uploadToSee(
  realm: RealmState,
  me: AccountRow,
  read: Reader,
  realmId: number,
  rest: string,
): Promise<AttachmentRow> {
  const found = realmId === realm.id ? await uploadAt(read, realm.id, `${realmId}/${rest}`) : undefined
  if (!found) throw noSuchFile()
  if (found.owner_id === me.id) return found
  if (await mayReadLinking(realm, me, read.rows, found.id)) return found
  if (isSpectator(me)) throw notLoggedIn()
  throw new ApiError('You are not authorized to view this file.', null, 403)
}

async function uploadAt(read: Reader, realmId: number, path: string): Promise<AttachmentRow | undefined> {
  const [row] = await read.rows(sql<AttachmentRow>`
    SELECT * FROM attachment WHERE realm_id = ${realmId} AND path = ${path} AND removed_at IS NULL`)
  return row
}

/**
 * Returns whether the user may read any of the messages that link to an upload. Works for any number of messages.
 * `rows` reads rows, inside or outside a change.
 */
export async function mayReadLinking(
  realm: RealmState,
  me: AccountRow,
  rows: <T>(query: RawBuilder<T>) => Promise<T[]>,
  attachmentId: number,
): Promise<boolean> {
  const linking = sql`attachment_message l JOIN message m ON m.realm_id = l.realm_id AND m.id = l.message_id
    WHERE l.realm_id = ${realm.id} AND l.attachment_id = ${attachmentId}`
  const places = await rows<Pick<MessageRow, 'recipient_id'>>(
    sql`SELECT DISTINCT m.recipient_id FROM ${linking}`,
  )
  const visible = visibleIn(
    realm,
    me,
    places.map((place) => place.recipient_id),
  )
  if (visible.whole.length > 0 || visible.parts.length === 0) return visible.whole.length > 0
  const found = await rows(sql`SELECT 1 FROM ${linking} AND ${visibleSql(visible)} LIMIT 1`)
  return found.length > 0
}

export function noSuchFile() {
  return new ApiError('This file does not exist or has been deleted.', 'NOT_FOUND', 404)
}
