import { sql } from 'kysely'
import { z } from 'zod'
import type { MessageRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { messageToRead, visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { editLimits } from './limits.ts'
import { propagateModes } from './plan-update.ts'

/**
 * Returns which messages `PATCH /messages/{message_id}` would move with the same `propagate_mode`. Whether the caller may
 * move them is not checked.
 */
export const getMoveExtent = query('GET /rookery/messages/{message_id}/move_extent', {
  summary: 'Count the messages that a move would include',
  rank: 'heavy',
  fromReplica: true,
  access: requireUser,
  params: {
    message_id: pathInteger(),
    propagate_mode: text({ oneOf: propagateModes }).default('change_one'),
  },
  returns: {
    count: z.int(),
    first_timestamp: z.int(),
    last_timestamp: z.int(),
    /** How many people have sent them, and who has sent most. */
    sender_count: z.int(),
    senders: z.array(z.object({ user_id: z.int(), count: z.int() })),
  },
  async handle({ realm, me, params, read }) {
    const message = await messageToRead(realm, me, read, params.message_id)
    const mode = params.propagate_mode
    if (realm.recipients.get(message.recipient_id)?.channel_id == null) {
      throw badRequest('Direct messages cannot be moved to channels.')
    }
    const visible = visibleSql(visibleIn(realm, me, [message.recipient_id]))
    const found = await read.rows(sql<BySender>`
      SELECT m.sender_id, count(*)::int AS count, min(m.sent_at) AS first, max(m.sent_at) AS last
      FROM message m WHERE m.realm_id = ${realm.id} AND m.recipient_id = ${message.recipient_id}
        AND lower(m.topic) = lower(${message.topic}::text) AND ${rangeOf(message, mode)} AND ${visible}
      GROUP BY m.sender_id ORDER BY count(*) DESC, m.sender_id`)
    return {
      count: found.reduce((sum, { count }) => sum + count, 0),
      first_timestamp: found.reduce((least, { first }) => Math.min(least, first), message.sent_at),
      last_timestamp: found.reduce((most, { last }) => Math.max(most, last), message.sent_at),
      sender_count: found.length,
      senders: found
        .slice(0, editLimits.moveExtentSenders)
        .map(({ sender_id, count }) => ({ user_id: sender_id, count })),
    }
  },
})

type BySender = { sender_id: number; count: number; first: number; last: number }

function rangeOf({ id }: MessageRow, mode: (typeof propagateModes)[number]) {
  if (mode === 'change_all') return sql`true`
  return mode === 'change_later' ? sql`m.id >= ${id}` : sql`m.id = ${id}`
}
