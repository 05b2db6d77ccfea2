import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** `starred_messages` of POST /register: ids in ascending order. */
export async function starredMessages(read: Reader, realm: RealmState, me: AccountRow): Promise<number[]> {
  const rows = await read
    .selectFrom('message_flag')
    .where('realm_id', '=', realm.id)
    .where('user_id', '=', me.id)
    .where('flag', '=', 'starred')
    .orderBy('message_id')
    .select('message_id')
    .execute()
  return rows.map((row) => row.message_id)
}
