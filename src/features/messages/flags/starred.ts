import { sql } from 'kysely'
import type { AccountRow } from '../../../db/schema.ts'
import { type Selection, selection } from '../../../db/selection.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** `starred_messages` of POST /register: ids in ascending order. */
export function starredMessages(realm: RealmState, me: AccountRow): Selection<number[]> {
  const starred = sql<{ message_id: number }>`SELECT message_id FROM message_flag
    WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND flag = 'starred' ORDER BY message_id`
  return selection(starred, (rows) => rows.map((row) => row.message_id))
}
