import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { printableText } from '../../../lib/text/unprintable.ts'
import { channelToRead } from '../../kernel/channels/access.ts'
import { visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { topicName } from '../../kernel/messages/message-text.ts'
import { markAllOf } from '../kernel/flags/mark-conversation.ts'

export const markTopicAsRead = command('POST /mark_topic_as_read', {
  summary: 'Mark all messages of a topic as read (deprecated: POST /messages/flags/narrow)',
  access: requireUser,
  params: { stream_id: integer(), topic_name: text().documentedAs(printableText) },
  returns: {},
  async handle(context) {
    await context.catchUp() // which messages are unread depends on subscriptions
    const { realm, me, params, read } = context
    const { recipient_id } = channelToRead(realm, me, params.stream_id)
    const inTopic = sql<boolean>`m.recipient_id = ${recipient_id}
      AND lower(m.topic) = lower(${topicName(params.topic_name)}::text)`
    const [found] = await read.rows<{ id: number }>(sql`
      SELECT m.id FROM message m
      WHERE m.realm_id = ${realm.id} AND ${inTopic} AND ${visibleSql(visibleIn(realm, me, [recipient_id]))} LIMIT 1`)
    if (!found) throw badRequest(`No such topic '${params.topic_name}'`)
    await markAllOf(context, inTopic)
    return {}
  },
})
