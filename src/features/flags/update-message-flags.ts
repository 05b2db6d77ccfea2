import { z } from 'zod'
import type { AccountRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { command } from '../../http/endpoint.ts'
import { integers } from '../../http/params.ts'
import { noSuchMessage } from '../../lib/api-error.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { readableOf } from '../messages/access.ts'
import { checkMessageCount } from '../messages/message-count.ts'
import { changeFlags, checkedChange, flagParams } from './change-flags.ts'
import { type FlaggedMessage, flaggedById } from './flagged.ts'

/** The reader's own flags on messages. What is not theirs to read is passed over, but cannot be starred. */
export const updateMessageFlags = command('POST /messages/flags', {
  summary: 'Add or remove a personal flag on messages',
  access: user,
  params: { messages: integers(), op: flagParams.op, flag: flagParams.flag },
  returns: {
    messages: z.array(z.int()),
    ignored_because_not_subscribed_channels: z.array(z.int()), // level 355
  },
  async handle(context) {
    const { realm, me, params, read } = context
    const change = checkedChange(params)
    checkMessageCount(params.messages.length)
    const found = await flaggedById(read, realm, me, params.messages)
    const readable = readableAmong(realm, me, found)
    if (change.flag !== 'read' && readable.length < new Set(params.messages).size) {
      throw noSuchMessage()
    }
    const { ignoredChannels } = await changeFlags(context, change, asAsked(params.messages, readable))
    return { messages: params.messages, ignored_because_not_subscribed_channels: ignoredChannels }
  },
})

function readableAmong(realm: RealmState, me: AccountRow, messages: FlaggedMessage[]) {
  const readable = new Set<number>()
  for (const [recipient, group] of groupBy(messages, (message) => message.recipient_id)) {
    const ids = group.map((message) => message.id)
    for (const id of readableOf(realm, me, recipient, ids)) readable.add(id)
  }
  return messages.filter((message) => readable.has(message.id))
}

function asAsked(ids: number[], messages: FlaggedMessage[]) {
  const byId = new Map(messages.map((message) => [message.id, message]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
