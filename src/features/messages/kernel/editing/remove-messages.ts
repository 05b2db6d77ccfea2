import { sql } from 'kysely'
import { firstIn } from '../../../../lib/must.ts'
import type { Change } from '../../../../log/change.ts'
import type { Audience } from '../../../../log/entry.ts'
import { channelUpdated } from '../../../channels/kernel/channels/stream.event.ts'
import type { DeleteEvent } from '../../../kernel/editing/delete_message.event.ts'
import { unlinkUploads } from '../uploads/links.ts'
import { audienceOfAll } from './audience.ts'
import { emitMessagesDeleted } from './emit-messages-deleted.ts'

/**
 * Deletes messages of one conversation (and, in a channel, of one topic) with everything attached to them, and emits
 * the events. `ids`: in ascending order, at least one. `deleter`: the user who deletes them, who hears of it without being
 * subscribed. The database deletes reactions and similar rows together with their messages.
 */
export async function removeMessages(
  change: Change,
  recipient: number,
  topic: string,
  ids: number[],
  deleter?: number,
) {
  const had = await audienceOfAll(change, recipient, ids)
  const those = sql`realm_id = ${change.state.id} AND message_id = ANY(${ids}::bigint[])`
  await change.run(sql`DELETE FROM message_flag WHERE ${those}`)
  await unlinkUploads(change, ids)
  const gone = await change.run(
    sql<{
      sender_id: number
    }>`DELETE FROM message WHERE realm_id = ${change.state.id} AND id = ANY(${ids}::bigint[])
      RETURNING sender_id`,
  )
  const { oldest } = await change.noteBounds(recipient)
  const senders = [...new Set(gone.map((row) => row.sender_id))]
  noteRemoval(change, recipient, ids, senders)
  // The authors may not be subscribed.
  const users = [...new Set([...had.users, ...senders, ...(deleter === undefined ? [] : [deleter])])]
  const audience = { ...had, users }
  const wereFirst = oldest === null || oldest > firstIn(ids)
  if (wereFirst) emitFirstMessage(change, recipient, oldest, audience)
  const event: DeleteEvent = { type: 'delete_message', message_ids: ids, recipient, topic }
  await emitMessagesDeleted(change, event, audience)
}

/** Emits which message of a channel is the first now. */
function emitFirstMessage(change: Change, recipient: number, id: number | null, audience: Audience) {
  const { channels, recipients } = change.state
  const channel = channels.get(recipients.require(recipient).channel_id ?? 0)
  if (channel) change.emit(channelUpdated(channel, 'first_message_id', id), audience)
}

/** Notes in the audit log whose messages a user has deleted, unless they were their own. The log does not hold the texts. */
function noteRemoval(change: Change, recipient: number, ids: number[], senders: number[]) {
  const channelId = change.state.recipients.get(recipient)?.channel_id
  const [sender] = senders
  if (sender === undefined) return
  const about = channelId ? { object: 'channel', objectId: channelId } : { object: 'user', objectId: sender }
  const details = { message_ids: ids, sender_ids: senders }
  change.note({ kind: 'message.delete', ...about, details, owners: senders })
}
