import { z } from 'zod'
import { user } from '../../http/access.ts'
import { type QueryContext, query } from '../../http/endpoint.ts'
import { boolean, integers, json, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { matchesIn } from './matches.ts'
import { messageView, topicView } from './message-view.ts'
import { pageAround } from './page.ts'
import { flagsFor, messagesAround, messagesById, type ShownMessage } from './queries.ts'
import { type Narrowed, within } from './within.ts'

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

const notTogether = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'

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
    const narrowed = await within(context, context.params.narrow)
    return message_ids ? byIds(context, narrowed, message_ids) : around(context, narrowed)
  },
})

async function byIds(context: Context, narrowed: Narrowed, ids: number[]) {
  const { realm, me, read, params } = context
  if (params.anchor !== undefined || params.num_before > 0 || params.num_after > 0) {
    throw badRequest(`Unsupported parameter combination: ${notTogether}`, { parameters: notTogether })
  }
  if (ids.length > limits.messagesPerFetch) throw tooMany()
  const messages = await messagesById(read, realm, me, narrowed.condition, ids)
  return {
    messages: await views(context, narrowed, messages),
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
  }
}

async function around(context: Context, narrowed: Narrowed) {
  const { condition } = narrowed
  const { realm, me, read, params } = context
  if (params.num_before + params.num_after > limits.messagesPerFetch) throw tooMany()
  const asked = params.use_first_unread_anchor ? { ...params, anchor: 'first_unread' } : params
  const found = await pageAround(context, condition, asked, (page) =>
    messagesAround(read, realm, me, condition, page),
  )
  return {
    ...found,
    messages: await views(context, narrowed, found.messages),
    history_limited: false,
  }
}

/** Messages as they are shown; if something is searched for, with where it is in them. */
async function views(context: Context, { search }: Narrowed, messages: ShownMessage[]) {
  const views = messages.map((message) => view(context, message))
  if (search === undefined) return views
  const matches = await matchesIn(context.read, search, messages, (message) => shownTopic(context, message))
  return views.map((view, index) => ({ ...view, ...matches[index] }))
}

function shownTopic({ realm, params }: Context, message: ShownMessage) {
  return topicView(realm, message, { emptyTopicName: params.allow_empty_topic_name })
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
