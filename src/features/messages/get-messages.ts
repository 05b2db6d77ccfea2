import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { user } from '../../http/access.ts'
import { type QueryContext, query } from '../../http/endpoint.ts'
import { boolean, integers, json, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import type { Condition } from '../../narrow/condition.ts'
import { resolveNarrow } from '../../narrow/resolve.ts'
import { conditionToSql } from '../../narrow/sql.ts'
import { parseNarrow } from '../../narrow/terms.ts'
import { type Visible, visibleIn, visibleReceived, visibleSql } from './access.ts'
import { type Anchor, firstUnread, newest, parseAnchor } from './anchor.ts'
import { messageView } from './message-view.ts'
import { narrowLookup } from './narrow.ts'
import { flagsFor, messagesAround, messagesById, type ReaderMessage } from './queries.ts'

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
    const condition = within(context)
    return message_ids ? byIds(context, condition, message_ids) : around(context, condition)
  },
})

/** The narrow, and of it what the reader may see. */
function within({ realm, me, params, site }: Context): RawBuilder<boolean> {
  const terms = params.narrow === undefined ? [] : parseNarrow(params.narrow)
  const condition = resolveNarrow(terms, narrowLookup(realm, site, me))
  const named = recipientsOf(condition)
  const visible: Visible = named ? visibleIn(realm, me, named) : visibleReceived(realm, me)
  return sql`${conditionToSql(condition)} AND ${visibleSql(visible)}`
}

/** The conversations that a narrow is limited to, if it names any. */
function recipientsOf(condition: Condition): number[] | undefined {
  if (condition.kind === 'recipient') return condition.ids
  if (condition.kind !== 'all') return undefined
  for (const part of condition.of) {
    const found = recipientsOf(part)
    if (found) return found
  }
  return undefined
}

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
  if (params.num_before > 0 && params.num_after > 0 && !params.include_anchor) {
    throw badRequest('The anchor can only be excluded at an end of the range')
  }
  const wanted = params.use_first_unread_anchor ? 'first_unread' : parseAnchor(params.anchor)
  const anchor = wanted === 'first_unread' ? await firstUnread(read, realm, me, condition) : wanted
  const before = anchor <= 0 ? 0 : params.num_before
  const after = anchor >= newest ? 0 : params.num_after
  // One more before, for the message at the anchor itself.
  const found = await messagesAround(read, realm, me, condition, { anchor, before: before + 1, after })
  return pageOf(context, anchor, { before, after }, found)
}

function pageOf(
  context: Context,
  anchor: Anchor,
  asked: { before: number; after: number },
  found: ReaderMessage[],
) {
  const older = found.filter((message) => message.id < anchor)
  const before = asked.before === 0 ? [] : older.slice(-asked.before)
  const at = found.filter((message) => message.id === anchor)
  const after = found.filter((message) => message.id > anchor)
  const shown = [...before, ...(context.params.include_anchor ? at : []), ...after]
  return {
    messages: shown.map((message) => view(context, message)),
    found_anchor: at.length === 1 && context.params.include_anchor,
    found_oldest: anchor <= 0 || before.length < asked.before,
    found_newest: anchor >= newest || after.length < asked.after,
    history_limited: false,
    anchor,
  }
}

function view({ realm, site, me, params }: Context, message: ReaderMessage) {
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
