import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, DraftRow } from '../../../db/schema.ts'
import { type Selection, selection } from '../../../db/selection.ts'
import { list } from '../../../http/collections.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { notBlankPattern } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToRead } from '../../kernel/channels/access.ts'
import { cutTopic, messageText } from '../../kernel/messages/message-text.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { messagingLimits } from '../kernel/messages/limits.ts'
import { peopleNamed } from '../kernel/messages/recipients.ts'
import { draftLimits } from './limits.ts'

const draftTypes = ['', 'stream', 'private'] as const

/** A draft as clients send it. */
export const draftToStore = z
  .strictObject({
    type: z.string().meta({ enum: draftTypes }).pipe(z.enum(draftTypes)),
    to: list(z.int(), messagingLimits.directMessagePeople),
    topic: z.string(),
    content: z.string().meta({ pattern: notBlankPattern }),
    // Some clients send fractions of a second.
    timestamp: z.number().max(Number.MAX_SAFE_INTEGER).meta({ type: 'integer', minimum: 0 }).optional(),
  })
  .meta({
    anyOf: [
      { properties: { type: { const: 'stream' }, to: { minItems: 1, maxItems: 1 } } },
      { properties: { type: { enum: ['', 'private'] } } },
    ],
  })

/** A draft as the API returns it. */
export const draftSchema = z.strictObject({
  id: z.int(),
  type: z.enum(draftTypes),
  to: list(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
})

export type Draft = z.infer<typeof draftSchema>
type Sent = z.infer<typeof draftToStore>
type Columns = Omit<DraftRow, 'realm_id' | 'id' | 'user_id'>

/** Throws if the user keeps drafts in their clients. */
export function checkSynchronizes(me: AccountRow) {
  if (!userSetting(me, 'enable_drafts_synchronization')) {
    throw badRequest('User has disabled synchronizing drafts.')
  }
}

/** Returns the columns of a draft. `place` is the position of the draft in the request. */
export function columnsOf(context: CallerContext, sent: Sent, place: string): Columns {
  if (sent.content.trim() === '') throw badRequest(`${place}["content"] cannot be blank`)
  const content = messageText(sent.content)
  if (sent.timestamp !== undefined && sent.timestamp < 0) throw badRequest('Timestamp must not be negative.')
  const edited_at = Math.floor(sent.timestamp ?? context.site.clock())
  return { ...address(context, sent), content, edited_at }
}

/** Returns the draft's destination. Throws if the author could not send there now. */
function address({ realm, site, me }: CallerContext, { type, to, topic }: Sent) {
  if (type === 'stream') {
    if (topic.includes('\0')) throw badRequest('Topic must not contain null bytes')
    if (to.length !== 1) throw badRequest('Must specify exactly 1 channel ID for channel messages')
    return { channel_id: channelToRead(realm, me, firstIn(to)).id, user_ids: null, topic: cutTopic(topic) }
  }
  if (type === '' || to.length === 0) return { channel_id: null, user_ids: null, topic: '' }
  const people = peopleNamed(realm, site, me, to)
  return { channel_id: null, user_ids: [...new Set(people.map(({ id }) => id))], topic: '' }
}

export function draftView(row: DraftRow): Draft {
  const { id, channel_id, user_ids, topic, content, edited_at } = row
  const type = channel_id !== null ? 'stream' : user_ids ? 'private' : ''
  const to = channel_id !== null ? [channel_id] : (user_ids ?? [])
  return { id, type, to, topic, content, timestamp: edited_at }
}

/** Selects the user's drafts, the most recently edited last. */
export function draftsOf(realm: RealmState, me: AccountRow): Selection<Draft[]> {
  return selection(sql<DraftRow>`${allOf(realm, me)} ORDER BY edited_at, id`, (rows) => rows.map(draftView))
}

/** `drafts` of POST /register, the most recently edited first. */
export function newestDrafts(realm: RealmState, me: AccountRow): Selection<Draft[]> | undefined {
  if (!userSetting(me, 'enable_drafts_synchronization')) return undefined
  const newest = sql<DraftRow>`${allOf(realm, me)}
    ORDER BY edited_at DESC, id DESC LIMIT ${draftLimits.draftsInRegister}`
  return selection(newest, (rows) => rows.map(draftView))
}

function allOf(realm: RealmState, me: AccountRow) {
  return sql`SELECT * FROM draft WHERE realm_id = ${realm.id} AND user_id = ${me.id}`
}

export function noSuchDraft() {
  return new ApiError('Draft does not exist', 'BAD_REQUEST', 404)
}
