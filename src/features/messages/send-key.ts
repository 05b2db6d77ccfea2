import type { Reader } from '../../db/database.ts'

/**
 * The id of the message that was sent under this key, if `error` says that there is one. A key stands beside its
 * message in the same transaction, so a repeated send finds the first one also after a crash.
 */
export async function sentBefore(
  read: Reader,
  realmId: number,
  senderId: number,
  key: string,
  error: unknown,
) {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code !== '23505' || constraint !== 'send_key_pkey') return undefined
  const row = await read
    .selectFrom('send_key')
    .where('realm_id', '=', realmId)
    .where('sender_id', '=', senderId)
    .where('key', '=', key)
    .select('message_id')
    .executeTakeFirst()
  return row?.message_id
}
