import { type RawBuilder, sql } from 'kysely'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { lastIn } from '../../../../lib/must.ts'
import type { FlaggedMessage } from '../../../kernel/flags/flagged.ts'
import { unreadSql } from '../../../kernel/flags/unread.ts'
import { flagsEvent } from '../../../kernel/flags/update_message_flags.event.ts'
import { messagingLimits } from '../messages/limits.ts'
import { markRead } from './read-state.ts'

/**
 * Marks the reader's unread messages that satisfy the condition as read, 5,000 at a time. Each step has its own event,
 * and other writes may happen between the steps.
 */
export async function markAllOf(
  { realm, me, read, commit }: CallerContext<'read' | 'commit'>,
  condition: RawBuilder<boolean>,
) {
  let messages: FlaggedMessage[]
  let after = 0
  do {
    messages = await read.rows<FlaggedMessage>(sql`
      SELECT m.id, m.recipient_id, m.sender_id FROM ${unreadSql(realm, me)} AND ${condition} AND m.id > ${after}
      ORDER BY m.id LIMIT ${messagingLimits.messagesPerFetch}`)
    if (messages.length === 0) return
    after = lastIn(messages).id
    await commit(async (change) => {
      const recipients = await markRead(change, me.id, messages)
      change.emit({ ...flagsEvent('add', 'read', messages), recipients }, { users: [me.id] })
    })
  } while (messages.length === messagingLimits.messagesPerFetch)
}
