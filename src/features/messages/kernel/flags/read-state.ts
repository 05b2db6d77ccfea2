import { type RawBuilder, sql } from 'kysely'
import type { AccountRow } from '../../../../db/schema.ts'
import { groupBy } from '../../../../lib/collections/group-by.ts'
import type { Change } from '../../../../log/change.ts'
import { flagLimits } from '../../../kernel/flags/limits.ts'
import { currentConversations } from '../../../kernel/flags/unread.ts'

type Marked = { id: number; recipient_id: number; sender_id: number }

/**
 * Adds messages to the user's read messages. Returns the conversations that they are in now: they may have been moved since
 * they were read.
 */
export async function markRead(change: Change, userId: number, messages: Marked[]): Promise<number[]> {
  const { recipients, ranges } = await rangesOf(change, userId, messages)
  if (recipients.length === 0) return []
  await change.run(sql`
    INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
    SELECT ${change.state.id}, ${userId}, x.recipient_id, x.ranges::int8multirange
    FROM unnest(${recipients}::integer[], ${ranges}::text[]) AS x(recipient_id, ranges)
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read + excluded.read`)
  return recipients
}

/** Removes messages from the user's read messages, including messages that the user sent. Returns the same. */
export async function markUnread(change: Change, userId: number, messages: Marked[]): Promise<number[]> {
  const { recipients, ranges } = await rangesOf(change, userId, messages)
  if (recipients.length === 0) return []
  await change.run(sql`
    UPDATE read_state s SET read = s.read - x.ranges::int8multirange
    FROM unnest(${recipients}::integer[], ${ranges}::text[]) AS x(recipient_id, ranges)
    WHERE s.realm_id = ${change.state.id} AND s.user_id = ${userId} AND s.recipient_id = x.recipient_id`)
  await change.run(sql`
    UPDATE message SET read_by_sender = false
    WHERE realm_id = ${change.state.id} AND id = ANY(${messages.map((message) => message.id)}::bigint[])
      AND sender_id = ${userId} AND read_by_sender`)
  return recipients
}

/** Marks everything that the user has received so far as read, in all current conversations of the user. */
export async function markEverythingRead(change: Change, me: AccountRow) {
  const { recipients } = currentConversations(change.state, me)
  await change.run(sql`
    INSERT INTO read_state AS s (realm_id, user_id, recipient_id, read)
    SELECT ${change.state.id}, ${me.id}, recipient_id, int8multirange(int8range(1, ${change.lastMessageId + 1}))
    FROM unnest(${recipients}::integer[]) AS current(recipient_id)
    ON CONFLICT (realm_id, user_id, recipient_id) DO UPDATE SET read = s.read + excluded.read`)
}

/**
 * Returns the messages as ranges of ids, by conversation. Each range begins right after the previous message of the
 * conversation. So messages that are read in order form one range, regardless of messages of other conversations in
 * between, and of messages that the user wrote.
 */
async function rangesOf(
  change: Change,
  userId: number,
  messages: Marked[],
): Promise<{ recipients: number[]; ranges: string[] }> {
  if (messages.length === 0) return { recipients: [], ranges: [] }
  const whole = (await stretchesOf(change, userId, messages)).filter((stretch) => stretch.is_whole)
  const found = new Map(whole.map((one) => [one.recipient_id, `{[${one.before + 1},${one.last + 1})}`]))
  const others = messages.filter((message) => !found.has(message.recipient_id))
  for (const one of await scatteredRanges(change, userId, others)) found.set(one.recipient_id, one.ranges)
  return { recipients: [...found.keys()], ranges: [...found.values()] }
}

/** The messages of one conversation: whether they are contiguous, and the message before them. */
type Stretch = { recipient_id: number; before: number; last: number; is_whole: boolean }

/**
 * Groups messages into contiguous runs. Users usually read without gaps. The query checks this by looking at as many
 * messages as were read.
 */
async function stretchesOf(change: Change, userId: number, messages: Marked[]): Promise<Stretch[]> {
  const groups = [...groupBy(messages, (message) => message.recipient_id)].map(([recipient, group]) => {
    const ids = group.map((message) => message.id).sort((a, b) => a - b)
    return { recipient, count: ids.length, first: ids[0], last: ids.at(-1) }
  })
  return change.run(sql<Stretch>`
    SELECT x.recipient AS recipient_id, x.last, ${lastBefore(change, userId, sql`x.recipient`, sql`x.first`)} AS before,
      as_many.first = x.first AS is_whole
    FROM json_to_recordset(${JSON.stringify(groups)}::json)
      AS x(recipient integer, count integer, first bigint, last bigint)
    CROSS JOIN LATERAL (
      SELECT min(id) AS first FROM (
        SELECT id FROM message m
        WHERE m.realm_id = ${change.state.id} AND m.recipient_id = x.recipient AND m.id <= x.last
        ORDER BY m.id DESC LIMIT x.count) AS newest) AS as_many`)
}

/** Returns one range for each message. Adjacent ranges are merged. */
function scatteredRanges(change: Change, userId: number, messages: Marked[]) {
  if (messages.length === 0) return []
  return change.run(sql<{ recipient_id: number; ranges: string }>`
    SELECT m.recipient_id, range_agg(int8range(
      ${lastBefore(change, userId, sql`m.recipient_id`, sql`m.id`)} + 1, m.id + 1))::text AS ranges
    FROM message m
    WHERE m.realm_id = ${change.state.id} AND m.id = ANY(${messages.map((message) => message.id)}::bigint[])
    GROUP BY m.recipient_id`)
}

/**
 * Returns the SQL for the id of the message before another one in its conversation; 0 if there is none. It skips messages of the user that count
 * as read, as each would otherwise divide the range of messages that the user has read; but no more than a limited number of them in a row.
 */
function lastBefore(
  { state }: Change,
  userId: number,
  recipient: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): RawBuilder<number> {
  const newest = sql`(
    SELECT b.id, b.sender_id = ${userId} AND b.read_by_sender AS is_own FROM message b
    WHERE b.realm_id = ${state.id} AND b.recipient_id = ${recipient} AND b.id < ${id}
    ORDER BY b.id DESC LIMIT ${flagLimits.ownMessagesPassed}) AS newest`
  return sql`coalesce(
    (SELECT newest.id FROM ${newest} WHERE NOT newest.is_own LIMIT 1),
    (SELECT min(newest.id) - 1 FROM ${newest} HAVING count(*) = ${flagLimits.ownMessagesPassed}),
    0)`
}
