import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, ScheduledMessageRow } from '../../../../db/schema.ts'
import { type Selection, selection } from '../../../../db/selection.ts'
import { list } from '../../../../http/collections.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { json, text } from '../../../../http/params.ts'
import { ApiError, badRequest } from '../../../../lib/api-error.ts'
import { firstIn } from '../../../../lib/must.ts'
import { realmUrl } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { render } from '../../../../markdown/render.ts'
import { markdownLookup } from '../../../kernel/messages/markdown-lookup.ts'
import { checkMayTalk } from '../../../kernel/messages/may-send.ts'
import { messageText } from '../../../kernel/messages/message-text.ts'
import { topicParticipants } from '../../../kernel/messages/wildcards.ts'
import { channelDestination } from '../messages/compose-message.ts'
import { messagingLimits } from '../messages/limits.ts'
import { checkMayMention } from '../messages/mentions.ts'
import { participants } from '../messages/recipients.ts'

/** The kind of the jobs that send scheduled messages. */
export const scheduledJobKind = 'scheduled_message'

export const typeParam = text({ oneOf: ['direct', 'channel', 'stream', 'private'] })
const toSchema = z.union([z.int(), list(z.int(), messagingLimits.directMessagePeople)])
/** One channel, or at least one user. addressOf checks which. */
export const scheduledToParam = () =>
  json(z.union([z.int(), list(z.int(), messagingLimits.directMessagePeople).meta({ minItems: 1 })]))

export const scheduledSchema = z.strictObject({
  scheduled_message_id: z.int(),
  to: toSchema,
  type: z.enum(['stream', 'private']),
  content: z.string(),
  rendered_content: z.string(),
  topic: z.string().optional(), // in a channel
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
})

export type ScheduledView = z.infer<typeof scheduledSchema>

export function scheduledView(row: ScheduledMessageRow): ScheduledView {
  const { id, channel_id, user_ids, topic, content, rendered_content, deliver_at, failed } = row
  return {
    scheduled_message_id: id,
    to: channel_id ?? user_ids,
    type: channel_id === null ? 'private' : 'stream',
    content,
    rendered_content,
    ...(channel_id !== null && { topic }),
    scheduled_delivery_timestamp: deliver_at,
    failed,
  }
}

/** Selects the user's scheduled messages in the order of delivery. Also `scheduled_messages` of POST /register. */
export function scheduledBy(realm: RealmState, me: AccountRow): Selection<ScheduledView[]> {
  const all = sql<ScheduledMessageRow>`SELECT * FROM scheduled_message
    WHERE realm_id = ${realm.id} AND sender_id = ${me.id} ORDER BY deliver_at, id`
  return selection(all, (rows) => rows.map(scheduledView))
}

type Address = Pick<ScheduledMessageRow, 'channel_id' | 'user_ids' | 'topic'>

/** Returns the destination of a message. Throws if its sender could not write there now. */
export function addressOf(
  context: CallerContext,
  kind: 'channel' | 'direct',
  to: number | number[],
  topic: string | undefined,
): Address {
  const { realm, site, me } = context
  const ids = Array.isArray(to) ? to : [to]
  if (kind === 'direct') {
    const people = participants(realm, site, me, ids)
    checkMayTalk(realm, me, people)
    const others = [...new Set(ids)].filter((id) => id !== me.id)
    return { channel_id: null, user_ids: others.length > 0 ? others : [me.id], topic: '' }
  }
  if (ids.length !== 1) throw badRequest('Expected exactly one channel')
  const destination = channelDestination(context, firstIn(ids), topic)
  return { channel_id: destination.channel.id, user_ids: null, topic: destination.topic }
}

/**
 * Returns a text as it is sent and shown. Throws if its author may not mention everyone whom it mentions at this
 * destination, so that the author learns it now, and not only when the message is due.
 */
export async function contentOf(
  { realm, site, me, read }: CallerContext<'read'>,
  { channel_id, topic }: Address,
  sent: string,
) {
  const content = messageText(sent)
  const { html, facts } = render(content, markdownLookup(realm, realmUrl(site, realm.row), me))
  const channel = channel_id === null ? undefined : realm.channels.require(channel_id)
  const participants = await topicParticipants(read, realm, me, { channel, topic }, content)
  checkMayMention(realm, me, channel, participants ?? [me.id], facts)
  return { content, rendered_content: html }
}

/** Throws unless the time is in the future. */
export function checkFuture(time: number, now: number) {
  if (time <= now) throw badRequest('Scheduled delivery time must be in the future.')
}

export function noSuchScheduled() {
  return new ApiError('Scheduled message does not exist', 'BAD_REQUEST', 404)
}
