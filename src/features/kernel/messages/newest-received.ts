import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { readSelection, type Selection, selectionOfOne } from '../../../db/selection.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Message ids of one recipient, from (inclusive) to (exclusive). */
type Span = { recipient: number; from: number; to: number }

/** The newest message that a user has received, as far as memory knows it (-1: none). */
type NewestReceived = {
  id: number
  /**
   * Ids among which the user may have received a newer message, by an older subscription: memory keeps only the newest message of
   * each conversation.
   */
  unsure: Span[]
}

/** Memory knows the newest message of each conversation. */
export function newestReceivedInMemory(realm: RealmState, me: AccountRow): NewestReceived {
  let newest = -1
  const left: Span[] = []
  for (const { id } of realm.conversationsOfUser(me.id)) {
    newest = Math.max(newest, realm.newestMessages.get(id) ?? -1)
  }
  for (const { channel_id, received } of realm.subscriptionsOfUser(me.id)) {
    const recipient = realm.channels.require(channel_id).recipient_id
    const last = realm.newestMessages.get(recipient) ?? -1
    for (const [from, to] of received) {
      if (last < from) continue
      if (to === null) newest = Math.max(newest, last)
      // The next message there takes the place of the one that memory knows.
      else left.push({ recipient, from, to })
    }
  }
  return { id: newest, unsure: left.filter(({ to }) => to - 1 > newest) }
}

/** Returns the id of the newest message that a user has received; -1 if there is none. */
export async function newestReceived(read: Reader, realm: RealmState, me: AccountRow): Promise<number> {
  const { id, unsure } = newestReceivedInMemory(realm, me)
  return unsure.length > 0 ? Math.max(id, await readSelection(read, newestIn(realm, unsure))) : id
}

/** Selects the newest message that only the database may know of, -1 if there is none; undefined if memory knows all. */
export function newestNotInMemory(realm: RealmState, me: AccountRow): Selection<number> | undefined {
  const { unsure } = newestReceivedInMemory(realm, me)
  return unsure.length > 0 ? newestIn(realm, unsure) : undefined
}

function newestIn(realm: RealmState, spans: Span[]): Selection<number> {
  const newest = sql<{ newest: number | null }>`
    SELECT max(m.id) AS newest FROM json_to_recordset(${JSON.stringify(spans)}::json)
      AS x(recipient integer, "from" bigint, "to" bigint) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE realm_id = ${realm.id} AND recipient_id = x.recipient
          AND id >= x."from" AND id < x."to" ORDER BY id DESC LIMIT 1) AS m`
  return selectionOfOne(newest, (row) => row.newest ?? -1)
}
