import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { notLoggedIn } from '../../../http/access.ts'
import { noSuchMessage } from '../../../lib/api-error.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isAnyOf } from '../../../narrow/sql.ts'
import { hasContentAccess, readableIntervals } from '../channels/access.ts'
import { isSpectator } from '../channels/web-public.ts'

/** The message ids of a conversation that a reader may see: all of them, or a range (from inclusive, to exclusive). */
type Part = { recipient: number; from: number; to: number | null }
export type Visible = { whole: number[]; parts: Part[] }

/**
 * Returns a message that the reader may read. Throws 400 for any other message (401 if logging in might help), whether
 * or not it exists.
 */
export async function messageToRead(
  realm: RealmState,
  me: AccountRow,
  read: Pick<Reader, 'rows'>,
  id: number,
): Promise<MessageRow> {
  const [message] = await read.rows<MessageRow>(
    sql`SELECT * FROM message WHERE realm_id = ${realm.id} AND id = ${id}`,
  )
  if (message && mayRead(realm, me, message)) return message
  throw isSpectator(me) ? notLoggedIn() : noSuchMessage()
}

/**
 * Returns the message as it is in a change: it may have been moved or deleted since, or the reader may have lost access to it.
 */
export function messageToReadNow(change: Change, me: AccountRow, id: number): Promise<MessageRow> {
  const { state } = change
  return messageToRead(state, state.users.require(me.id), { rows: (query) => change.run(query) }, id)
}

/**
 * Returns whether a reader may see a message: as a participant, or through access to this part of the channel's
 * history.
 */
export function mayRead(realm: RealmState, me: AccountRow, message: Pick<MessageRow, 'id' | 'recipient_id'>) {
  const { whole, parts } = visibleIn(realm, me, [message.recipient_id])
  return (
    whole.length > 0 || parts.some(({ from, to }) => message.id >= from && (to === null || message.id < to))
  )
}

/** Throws for messages in archived channels, which take no reactions or votes. */
export function checkNotArchived(realm: RealmState, message: Pick<MessageRow, 'recipient_id'>) {
  const channelId = realm.recipients.get(message.recipient_id)?.channel_id
  if (channelId && realm.channels.get(channelId)?.is_archived) throw noSuchMessage()
}

/** Returns those of a conversation's messages that a reader may see. Returns the same array if that is all of them. */
export function readableOf(realm: RealmState, me: AccountRow, recipient: number, ids: number[]): number[] {
  const { whole, parts } = visibleIn(realm, me, [recipient])
  if (whole.length > 0) return ids
  const readable = ids.filter((id) => parts.some(({ from, to }) => id >= from && (to === null || id < to)))
  return readable.length === ids.length ? ids : readable
}

/** Returns the parts of these conversations that a reader may see. */
export function visibleIn(realm: RealmState, me: AccountRow, recipients: Iterable<number>): Visible {
  const visible: Visible = { whole: [], parts: [] }
  for (const id of recipients) {
    const recipient = realm.recipients.get(id)
    if (!recipient) continue
    if (recipient.user_ids) {
      if (recipient.user_ids.includes(me.id)) visible.whole.push(id)
      continue
    }
    const intervals = readableIntervals(realm, me, realm.channels.require(recipient.channel_id))
    if (intervals === 'all') visible.whole.push(id)
    else visible.parts.push(...intervals.map(([from, to]) => ({ recipient: id, from, to })))
  }
  return visible
}

/**
 * Returns the messages that a reader received: their direct messages, and channel messages sent while they were
 * subscribed.
 */
export function visibleReceived(realm: RealmState, me: AccountRow): Visible {
  const visible: Visible = { whole: [...realm.conversationsOfUser(me.id)].map((row) => row.id), parts: [] }
  for (const { channel_id, received } of realm.subscriptionsOfUser(me.id)) {
    const channel = realm.channels.require(channel_id)
    if (!hasContentAccess(realm, me, channel)) continue
    for (const [from, to] of received) visible.parts.push({ recipient: channel.recipient_id, from, to })
  }
  return visible
}

/** Returns the SQL for visible messages: a condition on the table `message` with the alias m. */
export function visibleSql({ whole, parts }: Visible): RawBuilder<boolean> {
  if (parts.length === 0) return isAnyOf(sql`m.recipient_id`, whole)
  const byRecipient = [...groupBy(parts, (part) => part.recipient)].sort(([a], [b]) => a - b)
  const recipients = byRecipient.map(([recipient]) => recipient)
  // The first condition repeats the following ones so that PostgreSQL can use the index.
  const all = [...new Set([...whole, ...recipients])]
  return sql`(${isAnyOf(sql`m.recipient_id`, all)} AND (m.recipient_id = ANY(${whole}::integer[])
    OR ${partsSql(
      recipients,
      byRecipient.map(([, group]) => group),
    )}))`
}

// A search tests very many messages, and a user may be in thousands of channels. PostgreSQL finds the place of a recipient in these
// sorted arrays by halving, and compares one number where a channel has a single open-ended part, as is usual.
function partsSql(recipients: number[], groups: Part[][]): RawBuilder<boolean> {
  const place = sql`[width_bucket(m.recipient_id, ${recipients}::integer[])]`
  const isOpen = ([part, ...more]: Part[]) => part?.to === null && more.length === 0
  const first = groups.map((group) => (isOpen(group) ? firstIn(group).from : null))
  const open = sql<boolean>`m.id >= (${first}::bigint[])${place}`
  if (!first.includes(null)) return open
  const ranges = groups.map((group) => (isOpen(group) ? null : rangesOf(group)))
  return sql`${open} OR m.id <@ (${ranges}::int8multirange[])${place}`
}

function rangesOf(parts: Part[]): string {
  const ranges = parts.filter(({ from, to }) => to === null || from < to)
  return `{${ranges.map(({ from, to }) => `[${from},${to ?? ''})`).join()}}`
}
