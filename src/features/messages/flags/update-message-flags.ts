import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { noSuchMessage } from '../../../lib/api-error.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { type FlaggedMessage, flaggedById } from '../../kernel/flags/flagged.ts'
import { readableOf } from '../../kernel/messages/access.ts'
import { receptions } from '../../kernel/messages/reader-flags.ts'
import { checkMessageCount, messageIdsParam } from '../kernel/messages/message-count.ts'
import { changeFlags, checkedChange, type FlagChange, flagParams } from './change-flags.ts'

/**
 * Changes the reader's own flags on messages. Messages that the reader may not read can only be marked as read, which
 * has no effect.
 */
export const updateMessageFlags = command('POST /messages/flags', {
  summary: 'Add or remove a personal flag on messages',
  access: requireUser,
  params: { messages: messageIdsParam(), op: flagParams.op, flag: flagParams.flag },
  returns: {
    messages: z.array(z.int()),
    ignored_because_not_subscribed_channels: z.array(z.int()), // level 355
  },
  async handle(context) {
    const { realm, me, params } = context
    const change = checkedChange(params)
    checkMessageCount(params.messages.length)
    const found = await flaggedById(context, params.messages)
    let theirs = theirsAmong(realm, me, found, change)
    if (theirs.length < found.length) {
      // Another node may have begun a conversation, or subscribed the user to a channel, just now.
      await context.catchUp()
      theirs = theirsAmong(realm, me, found, change)
    }
    const mustKnow = change.flag !== 'read' || change.op === 'remove'
    if (mustKnow && theirs.length < new Set(params.messages).size) throw noSuchMessage()
    const { ignoredChannels } = await changeFlags(context, change, asAsked(params.messages, theirs))
    return { messages: params.messages, ignored_because_not_subscribed_channels: ignoredChannels }
  },
})

/**
 * Returns the messages that the user may read. Messages that they may no longer read are included when the request
 * removes a flag that they have set, or marks messages that they received as unread.
 */
function theirsAmong(
  realm: RealmState,
  me: AccountRow,
  messages: FlaggedMessage[],
  { op, flag }: FlagChange,
): FlaggedMessage[] {
  const theirs = new Set<number>()
  for (const [recipient, group] of groupBy(messages, (message) => message.recipient_id)) {
    const ids = group.map((message) => message.id)
    for (const id of readableOf(realm, me, recipient, ids)) theirs.add(id)
  }
  const receptionOf = receptions(realm, me)
  const came = (message: FlaggedMessage) => flag === 'read' && receptionOf(message) !== 'none'
  const isTheirs = (message: FlaggedMessage) =>
    theirs.has(message.id) || (op === 'remove' && (message.own_flags.includes(flag) || came(message)))
  return messages.filter(isTheirs)
}

function asAsked(ids: number[], messages: FlaggedMessage[]) {
  const byId = new Map(messages.map((message) => [message.id, message]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
