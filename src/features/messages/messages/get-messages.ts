import { sql } from 'kysely'
import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { type QueryContext, query } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { JsonAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { isSpectator, spectatorOf } from '../../kernel/channels/web-public.ts'
import { contentIn, type MessageFormat, topicView } from '../../kernel/messages/message-view.ts'
import { narrowParam } from '../../kernel/messages/narrow.ts'
import { messagesById } from '../../kernel/messages/page-queries.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'
import { anchorParam } from '../kernel/messages/anchor.ts'
import { fittingPage, messagesNamed } from '../kernel/messages/fitting-page.ts'
import { checkMessageCount, messageIdsParam, sideCountParam } from '../kernel/messages/message-count.ts'
import { pageAround } from '../kernel/messages/page-around.ts'
import { type Narrowed, resolveReadableNarrow } from '../kernel/messages/readable-narrow.ts'
import { matchesIn } from './matches.ts'
import { feedPage } from './pages/feed-page.ts'
import { firstUnreadOf } from './pages/first-unread-of.ts'
import { messageSchema } from './pages/message-schema.ts'
import { messagesJson, pageJson } from './pages/page-json.ts'
import { placePage } from './pages/place-page.ts'
import { checkSpectatorNarrow } from './spectator-narrow.ts'

const params = {
  anchor: anchorParam().optional(),
  include_anchor: boolean().default(true),
  num_before: sideCountParam().default(0),
  num_after: sideCountParam().default(0),
  narrow: narrowParam().optional(),
  client_gravatar: boolean().default(true).alias('client_avatar_provider'),
  apply_markdown: boolean().default(true),
  use_first_unread_anchor: boolean().default(false),
  message_ids: messageIdsParam().optional(),
  allow_empty_topic_name: boolean().default(false),
}

type Context = QueryContext<typeof params>

const exclusiveParams = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'

/**
 * Returns messages around an anchor within a narrow, or the messages with the given ids, oldest first, at most 5,000.
 * Without a channel in the narrow these are the messages that the reader received. With a channel they are all readable
 * messages of the channel. Anonymous callers read web-public channels.
 */
export const getMessages = query('GET /messages', {
  summary: 'Get messages',
  // A page of a conversation takes the database a moment, or nothing.
  rank: (sent) => (sent.get('narrow')?.includes('"search"') ? 'heavy' : undefined),
  fromReplica: true,
  access: requireUser,
  spectator: spectatorOf,
  params,
  returns: {
    messages: z.array(messageSchema),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
    // Without messages, `newest` comes back as a number that is larger than those that z.int() allows.
    anchor: z.number().meta({ type: 'integer' }).optional(),
  },
  async handle(context) {
    const { message_ids, narrow } = context.params
    if (isSpectator(context.me)) checkSpectatorNarrow(narrow)
    const narrowed = await resolveReadableNarrow(context, narrow)
    return message_ids ? byIds(context, narrowed, message_ids) : around(context, narrowed)
  },
})

async function byIds(context: Context, narrowed: Narrowed, ids: number[]) {
  const { params } = context
  const { anchor, num_before, num_after, use_first_unread_anchor } = params
  if (anchor !== undefined || num_before > 0 || num_after > 0 || use_first_unread_anchor) {
    throw badRequest(`Unsupported parameter combination: ${exclusiveParams}`, { parameters: exclusiveParams })
  }
  checkMessageCount(ids.length)
  const content = contentOf(context, narrowed)
  const named = { name: 'message_ids', ids }
  const messages = await messagesNamed(context, content, await narrowed.condition(), named)
  return answerOf(context, narrowed, messages, {
    found_anchor: false,
    found_oldest: false,
    found_newest: false,
    history_limited: false,
  })
}

async function around(context: Context, narrowed: Narrowed) {
  const { place, isFeed } = narrowed
  const { params } = context
  checkMessageCount(params.num_before + params.num_after)
  const asked = params.use_first_unread_anchor ? { ...params, anchor: 'first_unread' } : params
  const content = contentOf(context, narrowed)
  const firstUnread = () => firstUnreadOf(context, narrowed, content)
  const { messages, ...found } = await pageAround(firstUnread, asked, (page) => {
    const fromDatabase = () => fittingPage(context, content, narrowed, page)
    if (isFeed && params.apply_markdown) return feedPage(context, page, fromDatabase)
    return place ? placePage(context, place, content, page, fromDatabase) : fromDatabase()
  })
  return answerOf(context, narrowed, messages, { ...found, history_limited: false })
}

/**
 * Returns the form of the content to read. A search reads the rendered content, because matches are highlighted there.
 */
function contentOf({ params }: Context, { search }: Narrowed) {
  return search === undefined ? contentIn(formatOf(params)) : 'rendered_content'
}

/** Returns the message objects of the response. A search adds the highlighted matches. */
async function answerOf(context: Context, { search }: Narrowed, found: PageMessage[], rest: object) {
  const { realm, params, read } = context
  const format = formatOf(params)
  const matches =
    search && (await matchesIn(read, search, found, (message) => topicView(realm, message, format)))
  const ids = found.map((message) => message.id)
  const isShownAsFound = !matches || params.apply_markdown
  const messages = isShownAsFound ? found : await messagesById(context, 'content', sql`true`, ids)
  const objects = matches
    ? messagesJson(context, format, messages, matches)
    : pageJson(context, format, messages)
  return new JsonAnswer('"messages":[', objects, `],${JSON.stringify(rest).slice(1, -1)}`)
}

function formatOf(params: Context['params']): MessageFormat {
  return {
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_gravatar,
    emptyTopicName: params.allow_empty_topic_name,
  }
}
