import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { receivedMessage } from '../../../queues/audience.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { userSetting } from '../../kernel/users/settings.ts'

export const getReadReceipts = query('GET /messages/{message_id}/read_receipts', {
  summary: 'List the users who have read a message',
  rank: 'heavy',
  fromReplica: true,
  since: 137,
  access: requireUser,
  params: { message_id: pathInteger() },
  returns: { user_ids: z.array(z.int()) },
  async handle({ realm, me, params, read }) {
    const message = await messageToRead(realm, me, read, params.message_id)
    if (!realmSettings(realm).enable_read_receipts) {
      throw badRequest('Read receipts are disabled in this organization.')
    }
    const readers = await read.rows(sql<{ user_id: number }>`
      SELECT user_id FROM read_state WHERE realm_id = ${realm.id} AND recipient_id = ${message.recipient_id}
        AND read @> ${message.id}::bigint ORDER BY user_id`)
    return { user_ids: readers.map((row) => row.user_id).filter((id) => isShown(realm, me, message, id)) }
  },
})

/**
 * Returns whether the user appears in the read receipts. The list contains users who received the message and share
 * their read receipts, including users who have left the channel since. It never contains the sender.
 */
function isShown(realm: RealmState, me: AccountRow, message: MessageRow, userId: number) {
  const reader = realm.users.get(userId)
  if (!reader?.is_active || userId === message.sender_id || muteEachOther(realm, me.id, userId)) return false
  const received = receivedMessage(realm, { id: message.id, recipient: message.recipient_id }, userId)
  return received && userSetting(reader, 'send_read_receipts')
}

/** Returns whether one of the users has muted the other. Then neither sees the other's read receipts. */
function muteEachOther(realm: RealmState, a: number, b: number) {
  return realm.mutedUsers.get(a, b) !== undefined || realm.mutedUsers.get(b, a) !== undefined
}
