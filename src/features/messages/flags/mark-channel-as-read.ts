import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { integer } from '../../../http/params.ts'
import { channelToRead } from '../../kernel/channels/access.ts'
import { markAllOf } from '../kernel/flags/mark-conversation.ts'

export const markChannelAsRead = command('POST /mark_stream_as_read', {
  summary: 'Mark all messages of a channel as read (deprecated: POST /messages/flags/narrow)',
  access: requireUser,
  params: { stream_id: integer() },
  returns: {},
  async handle(context) {
    await context.catchUp() // which messages are unread depends on subscriptions
    const channel = channelToRead(context.realm, context.me, context.params.stream_id)
    await markAllOf(context, sql`m.recipient_id = ${channel.recipient_id}`)
    return {}
  },
})
