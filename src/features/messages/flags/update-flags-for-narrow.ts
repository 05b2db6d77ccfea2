import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, json } from '../../../http/params.ts'
import { narrowParam } from '../../kernel/messages/narrow.ts'
import { anchorParam, firstUnread } from '../kernel/messages/anchor.ts'
import { messagingLimits } from '../kernel/messages/limits.ts'
import { pageOfNarrowed } from '../kernel/messages/narrowed-page.ts'
import { pageAround } from '../kernel/messages/page-around.ts'
import { resolveReadableNarrow } from '../kernel/messages/readable-narrow.ts'
import { changeFlags, checkedChange, flagParams } from './change-flags.ts'

/** Changes at most 5,000 messages per request. Clients continue after the last processed message. */
export const updateFlagsForNarrow = command('POST /messages/flags/narrow', {
  summary: 'Add or remove a personal flag on the messages matching a narrow',
  since: 155,
  access: requireUser,
  params: {
    anchor: anchorParam(),
    include_anchor: boolean().default(true),
    num_before: json(z.int().min(0)),
    num_after: json(z.int().min(0)),
    narrow: narrowParam(),
    op: flagParams.op,
    flag: flagParams.flag,
  },
  returns: {
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ignored_because_not_subscribed_channels: z.array(z.int()), // level 355
  },
  async handle(context) {
    await context.catchUp() // which messages are unread depends on subscriptions
    const { params } = context
    const narrowed = await resolveReadableNarrow(context, params.narrow)
    const num_before = Math.min(params.num_before, messagingLimits.messagesPerFetch)
    const num_after = Math.min(params.num_after, messagingLimits.messagesPerFetch - num_before)
    const asked = { ...params, num_before, num_after }
    const { messages, found_oldest, found_newest } = await pageAround(
      () => firstUnread(context, narrowed.amongUnread()),
      asked,
      (page) => pageOfNarrowed(context, undefined, narrowed, page),
    )
    const { updated, ignoredChannels } = await changeFlags(context, checkedChange(params), messages)
    return {
      processed_count: messages.length,
      updated_count: updated,
      first_processed_id: messages[0]?.id ?? null,
      last_processed_id: messages.at(-1)?.id ?? null,
      found_oldest,
      found_newest,
      ignored_because_not_subscribed_channels: ignoredChannels,
    }
  },
})
