import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { user } from '../../http/access.ts'
import { type QueryContext, query } from '../../http/endpoint.ts'
import { boolean, integers, json, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { messageView } from './message-view.ts'
import { pageAround, within } from './page.ts'
import { flagsFor, messagesAround, messagesById, type ShownMessage } from './queries.ts'

const params = {
  anchor: text().optional(),
  include_anchor: boolean().default(true),
  num_before: json(z.int().min(0)).default(0),
  num_after: json(z.int().min(0)).default(0),
  narrow: json(z.unknown()).optional(),
  client_gravatar: boolean().default(true).alias('client_avatar_provider'),
  apply_markdown: boolean().default(true),
  use_first_unread_anchor: boolean().default(false),
  message_ids: integers().optional(),
  allow_empty_topic_name: boolean().default(false),
}

type Context = QueryContext<typeof params>

/**
 * Messages around an anchor within a narrow, or those with the given ids; oldest first, at most 5,000. Without a
 * channel in the narrow these are the messages that came to the reader; with one, all that the reader may see of it.
 */
export const getMessages = query('GET /messages', {
  summary: 'Fetch messages',
  access: user,
  params,
  returns: {
    messages: z.array(z.looseObject({ id: z.int() })),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
    anchor: z.int().optional(),
  },
  async handle(context) {
    const { message_ids } = context.params
    const condition = within(context, context.params.narrow)
    return message_ids ? byIds(context, condition, message_ids) : around(context, condition)
  },
})

async function byIds(context: Context, condition: RawBuilder<boolean>, ids: number[]) {
  const { realm, me, read, params } = context
  if (params.anchor !== undefined || params.num_before > 0 || params.num_after > 0) {
    throw badRequest('Unsupported parameter combination: num_before, num_after, anchor, message_ids', {
      parameters: 'num_before, num_after, anchor, message_ids',
    })
  }
  if (ids.length > limits.messagesPerFetch) throw tooMany()
  const messages = await messagesById(read, realm, me, condition, ids)
  return {
    messages: messages.map((message) => view(context, message)),
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
  }
}

async function around(context: Context, condition: RawBuilder<boolean>) {
  const { realm, me, read, params } = context
  if (params.num_before + params.num_after > limits.messagesPerFetch) throw tooMany()
  const asked = params.use_first_unread_anchor ? { ...params, anchor: 'first_unread' } : params
  const found = await pageAround(context, condition, asked, (page) =>
    messagesAround(read, realm, me, condition, page),
  )
  const messages = found.messages.map((message) => view(context, message))
  return { ...found, messages, history_limited: false }
}

function view({ realm, site, me, params }: Context, message: ShownMessage) {
  const format = {
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    emptyTopicName: params.allow_empty_topic_name,
  }
  return { ...messageView(realm, site, message, me, format), flags: flagsFor(realm, me, message) }
}

function tooMany() {
  return badRequest(`Too many messages requested (maximum ${limits.messagesPerFetch}).`)
}
