import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow } from '../../db/schema.ts'
import type { RealmState } from '../../log/realm-state.ts'
import type { ReaderMessage } from '../messages/queries.ts'

/** Of a message what decides on its flags, and what is told of them. */
export type FlaggedMessage = Pick<
  ReaderMessage,
  | 'id'
  | 'recipient_id'
  | 'sender_id'
  | 'topic'
  | 'read_by_sender'
  | 'mentions_channel'
  | 'topic_mentioned'
  | 'in_read'
  | 'own_flags'
>

/** Those of the messages that satisfy the condition, by id. */
export function flaggedById(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  ids: number[],
): Promise<FlaggedMessage[]> {
  return flagged(
    read,
    realm,
    me,
    sql`SELECT ${columns} FROM message m
      WHERE m.realm_id = ${realm.id} AND ${condition} AND m.id = ANY(${ids}::bigint[])`,
  )
}

/** At most `before` messages up to the anchor and `after` messages beyond it that satisfy the condition, by id. */
export async function flaggedAround(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  page: { anchor: number; before: number; after: number },
): Promise<FlaggedMessage[]> {
  const some = (bound: RawBuilder<unknown>, order: RawBuilder<unknown>, limit: number) =>
    sql`(SELECT ${columns} FROM message m WHERE m.realm_id = ${realm.id} AND ${condition} AND m.id ${bound}
      ORDER BY m.id ${order} LIMIT ${limit})`
  // Where nothing can be, nothing is looked for: that may take long.
  const halves = [
    ...(page.before > 0 && page.anchor > 0 ? [some(sql`<= ${page.anchor}`, sql`DESC`, page.before)] : []),
    ...(page.after > 0 ? [some(sql`> ${page.anchor}`, sql`ASC`, page.after)] : []),
  ]
  return halves.length === 0 ? [] : flagged(read, realm, me, sql.join(halves, sql` UNION ALL `))
}

const columns = sql`m.id, m.recipient_id, m.sender_id, m.topic, m.read_by_sender, m.mentions_channel,
  m.topic_mentioned`

function flagged(read: Reader, realm: RealmState, me: AccountRow, found: RawBuilder<unknown>) {
  return read.rows<FlaggedMessage>(sql`
    WITH found AS MATERIALIZED (${found}), state AS MATERIALIZED (
      SELECT recipient_id, read FROM read_state
      WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND recipient_id IN (SELECT recipient_id FROM found))
    SELECT m.*, coalesce(s.read @> m.id, false) AS in_read, coalesce(f.own_flags, '{}') AS own_flags
    FROM found m
    LEFT JOIN state s ON s.recipient_id = m.recipient_id
    LEFT JOIN (
      SELECT message_id, array_agg(flag ORDER BY flag) AS own_flags FROM message_flag
      WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND message_id = ANY(array(SELECT id FROM found))
      GROUP BY message_id) AS f ON f.message_id = m.id
    ORDER BY m.id`)
}
