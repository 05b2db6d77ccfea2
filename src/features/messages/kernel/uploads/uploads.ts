import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../../../../db/database.ts'
import type { AttachmentRow } from '../../../../db/schema.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { claimLimits } from './limits.ts'

const messageSchema = z.strictObject({ id: z.int(), date_sent: z.int() })

/** Times are in milliseconds (until level 443). */
export const attachmentSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(messageSchema),
})

export type AttachmentView = z.infer<typeof attachmentSchema>

/** An upload with the newest messages that link to it, ordered by id. */
export type LinkedAttachment = AttachmentRow & { messages: { id: number; sent_at: number }[] }

export function attachmentView({
  id,
  name,
  path,
  size,
  created_at,
  messages,
}: LinkedAttachment): AttachmentView {
  return {
    id,
    name,
    path_id: path,
    size,
    create_time: created_at * 1000,
    messages: messages.map((message) => ({ id: message.id, date_sent: message.sent_at * 1000 })),
  }
}

/**
 * Selects uploads that still exist, each with at most `most` of its newest messages, ordered by id. The condition is on the table
 * `attachment` a.
 */
export function linkedQuery(
  realmId: number,
  condition: ReturnType<typeof sql<boolean>>,
  most: number = claimLimits.messagesListed,
) {
  return sql<LinkedAttachment>`
    SELECT a.*, coalesce(l.messages, '[]') AS messages FROM attachment a
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('id', message_id, 'sent_at', sent_at) ORDER BY message_id) AS messages
      FROM (
        SELECT message_id, sent_at FROM attachment_message
        WHERE realm_id = a.realm_id AND attachment_id = a.id
        ORDER BY message_id DESC LIMIT ${most}) AS newest) l ON true
    WHERE a.realm_id = ${realmId} AND a.removed_at IS NULL AND ${condition}
    ORDER BY a.id`
}

/** Returns the total size of an organization's uploads in bytes. */
export async function spaceUsed(read: Reader, realmId: number): Promise<number> {
  const [row] = await read.rows(spaceQuery(realmId))
  return row?.space_used ?? 0
}

/** Returns the space that uploads use, inside a change and with its writes. */
export async function spaceUsedNow(change: Change): Promise<number> {
  const [row] = await change.run(spaceQuery(change.state.id))
  return row?.space_used ?? 0
}

function spaceQuery(realmId: number) {
  return sql<{ space_used: number }>`SELECT space_used FROM upload_store WHERE realm_id = ${realmId}`
}

/** Adds bytes to the count, or subtracts them if negative. Returns the new total. */
export async function countSpace(change: Change, bytes: number): Promise<number> {
  const row = firstIn(
    await change.run<{ space_used: number }>(sql`
    UPDATE upload_store SET space_used = space_used + ${bytes} WHERE realm_id = ${change.state.id}
    RETURNING space_used`),
  )
  return row.space_used
}
