import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { topicView } from '../../kernel/messages/message-view.ts'
import { narrowParam } from '../../kernel/messages/narrow.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'
import { messagesNamed } from '../kernel/messages/fitting-page.ts'
import { checkMessageCount, messageIdsParam } from '../kernel/messages/message-count.ts'
import { resolveReadableNarrow } from '../kernel/messages/readable-narrow.ts'
import { matchesIn, matchOf } from './matches.ts'

/**
 * Clients use this when they cannot decide by themselves. It checks messages that the reader received, at most 5,000.
 */
export const matchesNarrow = query('GET /messages/matches_narrow', {
  summary: 'Check which messages match a narrow',
  rank: 'heavy',
  fromReplica: true,
  access: requireUser,
  params: { msg_ids: messageIdsParam(), narrow: narrowParam() },
  returns: {
    messages: z.record(z.string(), z.object({ match_content: z.string(), match_subject: z.string() })),
  },
  async handle(context) {
    const { realm, params, read } = context
    checkMessageCount(params.msg_ids.length)
    const { condition, search } = await resolveReadableNarrow(context, params.narrow, { history: false })
    const named = { name: 'msg_ids', ids: params.msg_ids }
    const messages = await messagesNamed(context, 'rendered_content', await condition(), named)
    const topicOf = (message: PageMessage) => topicView(realm, message, { emptyTopicName: false })
    const matches =
      search === undefined
        ? messages.map((message) => matchOf(message, topicOf(message)))
        : await matchesIn(read, search, messages, topicOf)
    return { messages: Object.fromEntries(messages.map((message, index) => [message.id, matches[index]!])) }
  },
})
