import { sql } from 'kysely'
import type { MessageRow } from '../../../../db/schema.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import { bodyOf, bodyQuery, type UpdateEvent } from '../../../kernel/editing/update_message.event.ts'
import { audienceOf, usersWithFlagOrReactionQuery } from '../../../kernel/messages/audience.ts'

/** Replaces the HTML of a message, and tells its readers. For clients this is the same text, rendered again. */
export async function rewriteHtml(
  change: Change,
  { id, recipient_id }: Pick<MessageRow, 'id' | 'recipient_id'>,
  html: string,
) {
  await change.run(sql`
    UPDATE message SET rendered_content = ${html} WHERE realm_id = ${change.state.id} AND id = ${id}`)
  const body = firstIn(await change.run(bodyQuery(change.state.id, [id])))
  const event: UpdateEvent = {
    type: 'update_message',
    user_id: null,
    edit_timestamp: change.now,
    message_id: id,
    message_ids: [id],
    recipient: recipient_id,
    isRendering: true,
  }
  const holders = firstIn(await change.run(usersWithFlagOrReactionQuery(change.state.id, [id])))
  const audience = audienceOf(change.state, { id, recipient_id }, change.lastMessageId + 1, holders.users)
  change.emit(event, audience, bodyOf(body))
}
