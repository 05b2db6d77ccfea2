import { sql } from 'kysely'
import type { AccountRow } from '../../../db/schema.ts'
import { type Selection, selection } from '../../../db/selection.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { conversationLimits } from './limits.ts'

type RecentConversation = { max_message_id: number; user_ids: number[] }

/**
 * Selects the direct conversations of the reader's newest 1,000 direct messages, each with the other participants and
 * the newest message. Undefined if there are none.
 */
export function recentConversations(
  realm: RealmState,
  me: AccountRow,
): Selection<RecentConversation[]> | undefined {
  const recipients = [...realm.conversationsOfUser(me.id)].map((row) => row.id)
  if (recipients.length === 0) return undefined
  const most = conversationLimits.recentDirectMessages
  // It looks up each conversation: a prepared statement for all of them might be planned to read all messages backwards.
  const newest = sql<{ recipient_id: number; max_message_id: number }>`
    SELECT recipient_id, max(id) AS max_message_id FROM (
      SELECT own.recipient_id, m.id FROM unnest(${recipients}::integer[]) AS own(recipient_id)
      CROSS JOIN LATERAL (
        SELECT id FROM message WHERE realm_id = ${realm.id} AND recipient_id = own.recipient_id
        ORDER BY id DESC LIMIT ${most}) AS m
      ORDER BY m.id DESC LIMIT ${most}) AS recent
    GROUP BY recipient_id ORDER BY max_message_id DESC`
  return selection(newest, (rows) =>
    rows.map(({ recipient_id, max_message_id }) => ({
      max_message_id,
      user_ids: (realm.recipients.require(recipient_id).user_ids ?? []).filter((id) => id !== me.id),
    })),
  )
}
