import { sql } from 'kysely'
import { z } from 'zod'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { integers, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { mayRead } from '../messages/access.ts'
import { changeFlags, checkedChange } from './change-flags.ts'
import { flaggedById } from './flagged.ts'

/** The reader's own flags on messages. What is not theirs to read is passed over, but cannot be starred. */
export const updateMessageFlags = command('POST /messages/flags', {
  summary: 'Add or remove a personal flag on messages',
  access: user,
  params: { messages: integers(), op: text(), flag: text() },
  returns: {
    messages: z.array(z.int()),
    ignored_because_not_subscribed_channels: z.array(z.int()), // level 355
  },
  async handle(context) {
    const { realm, me, params, read } = context
    const change = checkedChange(params)
    if (params.messages.length > limits.messagesPerFetch) {
      throw badRequest(`Too many messages requested (maximum ${limits.messagesPerFetch}).`)
    }
    const found = await flaggedById(read, realm, me, sql`true`, params.messages)
    const readable = found.filter((message) => mayRead(realm, me, message))
    if (change.flag !== 'read' && readable.length < new Set(params.messages).size) {
      throw badRequest('Invalid message(s)')
    }
    const { ignoredChannels } = await changeFlags(context, change, readable)
    return { messages: params.messages, ignored_because_not_subscribed_channels: ignoredChannels }
  },
})
