import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow, MessageRow } from '../../db/schema.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { within } from '../../queues/audience.ts'

/** A message with what it is to one reader. */
export type ReaderMessage = MessageRow & { in_read: boolean; own_flags: string[] }

function columns(me: AccountRow) {
  return sql`m.*, coalesce(s.read @> m.id, false) AS in_read, array(
    SELECT flag FROM message_flag f
    WHERE f.realm_id = m.realm_id AND f.user_id = ${me.id} AND f.message_id = m.id ORDER BY flag) AS own_flags`
}

function from(realm: RealmState, me: AccountRow) {
  return sql`message m
    LEFT JOIN read_state s ON s.realm_id = m.realm_id AND s.user_id = ${me.id} AND s.recipient_id = m.recipient_id
    WHERE m.realm_id = ${realm.id}`
}

/** At most `before` messages up to the anchor and `after` messages beyond it that satisfy the condition, by id. */
export function messagesAround(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  page: { anchor: number; before: number; after: number },
): Promise<ReaderMessage[]> {
  const some = (bound: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) =>
    sql`(SELECT ${columns(me)} FROM ${from(realm, me)} AND ${condition} AND m.id ${bound} ORDER BY m.id ${order} LIMIT ${limit})`
  const halves = [
    ...(page.before > 0 ? [some(sql`<= ${page.anchor}`, sql`DESC`, page.before)] : []),
    ...(page.after > 0 ? [some(sql`> ${page.anchor}`, sql`ASC`, page.after)] : []),
  ]
  if (halves.length === 0) return Promise.resolve([])
  return read.rows<ReaderMessage>(
    sql`SELECT * FROM (${sql.join(halves, sql` UNION ALL `)}) AS page ORDER BY id`,
  )
}

/** Those of the messages that satisfy the condition, by id. */
export function messagesById(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  ids: number[],
): Promise<ReaderMessage[]> {
  return read.rows<ReaderMessage>(
    sql`SELECT ${columns(me)} FROM ${from(realm, me)} AND ${condition} AND m.id = ANY(${ids}::bigint[]) ORDER BY m.id`,
  )
}

/** The reader's flags on a message. What was not sent to them counts as read, and is called historical. */
export function flagsFor(realm: RealmState, me: AccountRow, message: ReaderMessage): string[] {
  const reception = receptionOf(realm, me, message)
  const flags = [...message.own_flags]
  if (isRead(realm, me, message)) flags.push('read')
  if (reception === 'none') flags.push('historical')
  if (message.mentions_channel && reception !== 'none') {
    flags.push('stream_wildcard_mentioned', 'wildcard_mentioned')
  }
  return flags
}

export function isRead(realm: RealmState, me: AccountRow, message: ReaderMessage) {
  const own = message.sender_id === me.id && message.read_by_sender
  return own || message.in_read || receptionOf(realm, me, message) !== 'current'
}

/** Whether a message came to a reader, and if so, in a subscription that lasts or in one that has ended. */
export function receptionOf(
  realm: RealmState,
  me: AccountRow,
  message: Pick<MessageRow, 'id' | 'recipient_id'>,
): 'current' | 'ended' | 'none' {
  const channelId = realm.recipients.get(message.recipient_id)?.channel_id
  if (!channelId) return 'current'
  const received = realm.subscription(me.id, channelId)?.received ?? []
  if (!within(received, message.id)) return 'none'
  const [since, until] = received.at(-1)!
  return until === null && message.id >= since ? 'current' : 'ended'
}
