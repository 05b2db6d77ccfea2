import { sql } from 'kysely'
import { z } from 'zod'
import type { ChannelRow } from '../../../db/schema.ts'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { printableText } from '../../../lib/text/unprintable.ts'
import type { Change } from '../../../log/change.ts'
import { forgetTopic } from '../../channels/topics/forget-topic.ts'
import { channelToRead } from '../../kernel/channels/access.ts'
import { visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { topicName } from '../../kernel/messages/message-text.ts'
import { removeMessages } from '../kernel/editing/remove-messages.ts'
import { editLimits } from './limits.ts'

/**
 * Deletes the messages of a topic that the caller may read, the newest first, in steps. When the time is up it returns
 * that the deletion is not complete, and the client repeats the request.
 */
export const deleteTopic = command('POST /streams/{stream_id}/delete_topic', {
  summary: 'Delete all messages in a topic',
  access: requireAdministrator,
  params: { stream_id: pathInteger(), topic_name: text().documentedAs(printableText) },
  returns: { complete: z.boolean() },
  async handle({ realm, me, params, commit }) {
    const channel = channelToRead(realm, me, params.stream_id)
    const topic = topicName(params.topic_name)
    const step = () =>
      commit(async (change) => {
        const visible = visibleSql(visibleIn(change.state, me, [channel.recipient_id]))
        const rows = await change.run(sql<{ id: number }>`
          SELECT m.id FROM message m WHERE m.realm_id = ${realm.id} AND m.recipient_id = ${channel.recipient_id}
            AND lower(m.topic) = lower(${topic}::text) AND ${visible}
          ORDER BY m.id DESC LIMIT ${editLimits.editBatch}`)
        const ids = rows.map((row) => row.id).reverse()
        if (ids.length > 0) await removeMessages(change, channel.recipient_id, topic, ids, me.id)
        if (ids.length < editLimits.editBatch && !(await exists(change, channel, topic))) {
          await forgetTopic(change, channel.id, topic)
        }
        return ids.length
      })
    const start = performance.now()
    while ((await step()) === editLimits.editBatch) {
      if (performance.now() - start > editLimits.topicDeletionSeconds * 1000) return { complete: false }
    }
    return { complete: true }
  },
})

/** Returns whether a topic has messages, including messages that the caller may not read. */
async function exists(change: Change, channel: ChannelRow, topic: string) {
  const rows = await change.run(sql`
    SELECT FROM message WHERE realm_id = ${change.state.id} AND recipient_id = ${channel.recipient_id}
      AND lower(topic) = lower(${topic}::text) LIMIT 1`)
  return rows.length > 0
}
