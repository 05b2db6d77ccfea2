import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow, AttachmentRow, MessageRow } from '../../db/schema.ts'
import { notLoggedIn } from '../../http/access.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { isSpectator } from '../channels/web-public.ts'
import { mayRead } from '../messages/access.ts'

/**
 * An upload that one may see: one's own, or one that a message links to which one may read. Throws 404 if there is none
 * at this path, and 403 if it is not for the reader.
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
  const messages = await read.rows(linkingQuery(realm.id, found.id))
  if (messages.some((message) => mayRead(realm, me, message))) return found
  if (isSpectator(me)) throw notLoggedIn()
  throw new ApiError('You are not authorized to view this file.', null, 403)
}

export async function uploadAt(
  read: Reader,
  realmId: number,
  path: string,
): Promise<AttachmentRow | undefined> {
  const [row] = await read.rows(sql<AttachmentRow>`
    SELECT * FROM attachment WHERE realm_id = ${realmId} AND path = ${path} AND removed_at IS NULL`)
  return row
}

/** The messages that link to an upload, the newest first. */
export function linkingQuery(realmId: number, attachmentId: number) {
  return sql<Pick<MessageRow, 'id' | 'recipient_id'>>`
    SELECT m.id, m.recipient_id FROM attachment_message l
    JOIN message m ON m.realm_id = l.realm_id AND m.id = l.message_id
    WHERE l.realm_id = ${realmId} AND l.attachment_id = ${attachmentId} ORDER BY m.id DESC`
}

export function noSuchFile() {
  return new ApiError('This file does not exist or has been deleted.', 'NOT_FOUND', 404)
}
