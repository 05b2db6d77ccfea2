import { sql } from 'kysely'
import { z } from 'zod'
import { user } from '../../http/access.ts'
import { query } from '../../http/endpoint.ts'
import { boolean, pathInteger } from '../../http/params.ts'
import { spectatorOf } from '../channels/web-public.ts'
import { messageToRead } from './access.ts'
import { messagesById } from './queries.ts'
import { readerView } from './reader-view.ts'

export const getMessage = query('GET /messages/{message_id}', {
  summary: 'Fetch a single message',
  access: user,
  spectator: spectatorOf,
  params: {
    message_id: pathInteger(),
    apply_markdown: boolean().default(true),
    allow_empty_topic_name: boolean().default(false),
  },
  returns: {
    message: z.looseObject({ id: z.int() }),
    raw_content: z.string(), // deprecated, but older clients read it
  },
  async handle({ realm, me, params, read, site }) {
    const { content } = await messageToRead(realm, me, read, params.message_id)
    const [message] = await messagesById(read, realm, me, sql`true`, [params.message_id])
    const format = {
      applyMarkdown: params.apply_markdown,
      clientGravatar: true,
      emptyTopicName: params.allow_empty_topic_name,
    }
    return { message: readerView(realm, site, me, message!, format), raw_content: content }
  },
})
