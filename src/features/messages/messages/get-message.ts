import { sql } from 'kysely'
import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, pathInteger } from '../../../http/params.ts'
import { JsonAnswer } from '../../../http/responses/answer-kinds.ts'
import { noSuchMessage } from '../../../lib/api-error.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { contentIn } from '../../kernel/messages/message-view.ts'
import { messagesById } from '../../kernel/messages/page-queries.ts'
import { messageSchema } from './pages/message-schema.ts'
import { messagesJson } from './pages/page-json.ts'

export const getMessage = query('GET /messages/{message_id}', {
  summary: 'Get a single message',
  access: requireUser,
  spectator: spectatorOf,
  params: {
    message_id: pathInteger(),
    apply_markdown: boolean().default(true),
    allow_empty_topic_name: boolean().default(false),
  },
  returns: {
    message: messageSchema,
    raw_content: z.string(), // deprecated, but older clients read it
  },
  async handle({ realm, me, params, read, site }) {
    const { content } = await messageToRead(realm, me, read, params.message_id)
    const format = {
      applyMarkdown: params.apply_markdown,
      clientGravatar: true,
      emptyTopicName: params.allow_empty_topic_name,
    }
    const found = await messagesById({ realm, me, read }, contentIn(format), sql`true`, [params.message_id])
    // The message may have been deleted in the meantime.
    if (found.length === 0) throw noSuchMessage()
    const message = messagesJson({ realm, site, me }, format, found)
    return new JsonAnswer(`"message":${message},"raw_content":${JSON.stringify(content)}`)
  },
})
