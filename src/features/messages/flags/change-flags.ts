import { sql } from 'kysely'
import type { AccountRow } from '../../../db/schema.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { FlaggedMessage } from '../../kernel/flags/flagged.ts'
import { flagsEvent, messagesUnread } from '../../kernel/flags/update_message_flags.event.ts'
import { readableOf } from '../../kernel/messages/access.ts'
import { isReadAs, receptions } from '../../kernel/messages/reader-flags.ts'
import { mutingOf, topicPoliciesQuery } from '../../kernel/topics/visibility.ts'
import { markRead, markUnread } from '../kernel/flags/read-state.ts'

const editable = ['read', 'starred', 'collapsed']
const known = [
  ...editable,
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
  'force_expand',
  'force_collapse',
]

/** The parameters that checkedChange reads. */
export const flagParams = {
  op: text().documentedAs({ enum: ['add', 'remove'] }),
  flag: text().documentedAs({ enum: editable }),
}

/** A request to set or clear one of the reader's own flags. */
export type FlagChange = { op: 'add' | 'remove'; flag: string }

export function checkedChange({ op, flag }: { op: string; flag: string }): FlagChange {
  if (!known.includes(flag)) throw badRequest(`Invalid flag: '${flag}'`)
  if (!editable.includes(flag)) throw badRequest(`Flag not editable: '${flag}'`)
  if (op !== 'add' && op !== 'remove') throw badRequest(`Invalid message flag operation: '${op}'`)
  return { op, flag }
}

/**
 * Changes a flag on messages that the reader may read. Emits events to the reader's clients, in the same order as the
 * request and with duplicates kept. Returns how many messages changed, and the channels whose messages cannot become
 * unread because the reader is not subscribed.
 */
export async function changeFlags(
  { me, commit }: CallerContext<'commit'>,
  asked: FlagChange,
  messages: FlaggedMessage[],
) {
  const { op, flag } = asked
  return commit(async (change) => {
    // Clients take messages that are gone, or in another place by now, for read as well: only other changes need their places.
    const isRead = flag === 'read' && op === 'add'
    const placed = isRead ? messages : await whereTheyAre(change, messages)
    const { changed, ignoredChannels } =
      flag === 'read' ? toMark(change.state, me, op, placed) : toFlag(op, flag, placed)
    const each = [...new Set(changed)]
    if (flag !== 'read') await changeFlag(change, me, asked, changed)
    else if (isRead) await markAsRead(change, me, changed, each)
    else await markAsUnread(change, me, changed, each)
    return { updated: each.length, ignoredChannels }
  })
}

async function changeFlag(
  change: Change,
  me: AccountRow,
  { op, flag }: FlagChange,
  changed: FlaggedMessage[],
) {
  const current = op === 'add' ? readable(change.state, me, changed) : changed
  await (op === 'add' ? setFlag : clearFlag)(change, me.id, flag, [...new Set(current)])
  change.emit(flagsEvent(op, flag, current), { users: [me.id] })
}

async function markAsRead(change: Change, me: AccountRow, changed: FlaggedMessage[], each: FlaggedMessage[]) {
  const recipients = await markRead(change, me.id, each)
  change.emit({ ...flagsEvent('add', 'read', changed), recipients }, { users: [me.id] })
}

async function markAsUnread(
  change: Change,
  me: AccountRow,
  changed: FlaggedMessage[],
  each: FlaggedMessage[],
) {
  const recipients = await markUnread(change, me.id, each)
  change.emit({ ...(await unreadAgain(change, me, changed)), recipients }, { users: [me.id] })
}

/** A message that is in another place by now, or in none if it was deleted. */
type Moved = { id: number; recipient_id: number | null; topic: string | null }

/**
 * Returns the messages where they are by now, without those that have been deleted since the request was checked. Reads only what
 * has changed, as nearly always nothing has.
 */
async function whereTheyAre(change: Change, messages: FlaggedMessage[]): Promise<FlaggedMessage[]> {
  const each = [...new Set(messages)]
  const moved = await change.run(sql<Moved>`
    SELECT checked.id, m.recipient_id, m.topic
    FROM unnest(${each.map(({ id }) => id)}::bigint[], ${each.map((one) => one.recipient_id)}::integer[],
      ${each.map(({ topic }) => topic)}::text[]) AS checked (id, recipient_id, topic)
    LEFT JOIN message m ON m.realm_id = ${change.state.id} AND m.id = checked.id
    WHERE (m.recipient_id, m.topic) IS DISTINCT FROM (checked.recipient_id, checked.topic)`)
  if (moved.length === 0) return messages
  const places = new Map(moved.map((one) => [one.id, one]))
  const now = new Map(each.map((message) => [message, placedAt(message, places.get(message.id))]))
  return messages.flatMap((message) => now.get(message) ?? [])
}

function placedAt(message: FlaggedMessage, moved: Moved | undefined): FlaggedMessage | undefined {
  if (!moved) return message
  const { recipient_id, topic } = moved
  return recipient_id === null || topic === null ? undefined : { ...message, recipient_id, topic }
}

/** Returns the messages that the reader may read. A flag on one that was moved out of their sight would stay for good. */
function readable(realm: RealmState, me: AccountRow, messages: FlaggedMessage[]): FlaggedMessage[] {
  const groups = [...groupBy(messages, (message) => message.recipient_id)]
  const ids = groups.flatMap(([recipient, group]) =>
    readableOf(
      realm,
      me,
      recipient,
      group.map(({ id }) => id),
    ),
  )
  const known = new Set(ids)
  return messages.filter(({ id }) => known.has(id))
}

async function unreadAgain(change: Change, me: AccountRow, messages: FlaggedMessage[]) {
  const policies = await change.run(topicPoliciesQuery(change.state, me))
  return messagesUnread(change.state, me, messages, mutingOf(change.state, me, policies))
}

// Another client of the same user may have been faster.
async function setFlag(change: Change, userId: number, flag: string, messages: FlaggedMessage[]) {
  await change.run(sql`
    INSERT INTO message_flag (realm_id, user_id, message_id, flag)
    SELECT realm_id, ${userId}, id, ${flag} FROM message
    WHERE realm_id = ${change.state.id} AND id = ANY(${messages.map((message) => message.id)}::bigint[])
    ON CONFLICT DO NOTHING`)
}

async function clearFlag(change: Change, userId: number, flag: string, messages: FlaggedMessage[]) {
  await change.deleteAll(
    'message_flag',
    messages.map((message) => ({ user_id: userId, message_id: message.id, flag })),
  )
}

/**
 * Returns the messages that can be unread at all: the reader received them and still receives messages of the
 * conversation.
 */
function toMark(realm: RealmState, me: AccountRow, op: 'add' | 'remove', messages: FlaggedMessage[]) {
  const receptionOf = receptions(realm, me)
  const current = messages.filter((message) => receptionOf(message) === 'current')
  const others = messages.filter((message) => receptionOf(message) !== 'current')
  return {
    changed: current.filter((message) => isReadAs('current', me, message) === (op === 'remove')),
    ignoredChannels: op === 'add' ? [] : channelsOf(realm, others),
  }
}

function channelsOf(realm: RealmState, messages: FlaggedMessage[]) {
  return [...new Set(messages.map((message) => realm.channelOf(message.recipient_id).id))]
}

function toFlag(op: 'add' | 'remove', flag: string, messages: FlaggedMessage[]) {
  return {
    changed: messages.filter((message) => message.own_flags.includes(flag) === (op === 'remove')),
    ignoredChannels: [],
  }
}
