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
  /** Where older subscriptions may have a newer one. Memory does not know it, because others have come since. */
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
      if (to === null || last < to) newest = Math.max(newest, last)
      else left.push({ recipient, from, to })
    }
  }
  return { id: newest, unsure: left.filter(({ to }) => to - 1 > newest) }
}

/** Returns the id of the newest message that a user has received; -1 if there is none. */
export async function newestReceived(read: Reader, realm: RealmState, me: AccountRow): Promise<number> {
  const missing = newestNotInMemory(realm, me)
  return Math.max(newestReceivedInMemory(realm, me).id, missing ? await readSelection(read, missing) : -1)
}

/** Selects the newest message that only the database may know of, -1 if there is none; undefined if memory knows all. */
export function newestNotInMemory(realm: RealmState, me: AccountRow): Selection<number> | undefined {
  const { unsure } = newestReceivedInMemory(realm, me)
  if (unsure.length === 0) return undefined
  const newest = sql<{ newest: number | null }>`
    SELECT max(m.id) AS newest FROM json_to_recordset(${JSON.stringify(unsure)}::json)
      AS x(recipient integer, "from" bigint, "to" bigint) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE realm_id = ${realm.id} AND recipient_id = x.recipient
          AND id >= x."from" AND id < x."to" ORDER BY id DESC LIMIT 1) AS m`
  return selectionOfOne(newest, (row) => row.newest ?? -1)
}
