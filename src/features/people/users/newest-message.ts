import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Returns the id of the newest message that a user received; -1 if there is none. */
export async function newestMessageId(read: Reader, realm: RealmState, user: AccountRow): Promise<number> {
  const { recipients, since, until } = receivedSpans(realm, user)
  // One look-up at the end of the index for each conversation.
  const [row] = await read.rows<{ newest: number | null }>(sql`
    SELECT max(own.newest) AS newest
    FROM unnest(${recipients}::integer[], ${since}::bigint[], ${until}::bigint[]) AS r(recipient_id, since, until),
      LATERAL (
        SELECT max(m.id) AS newest FROM message m
        WHERE m.realm_id = ${realm.id} AND m.recipient_id = r.recipient_id
          AND m.id >= r.since AND (r.until IS NULL OR m.id < r.until)) AS own`)
  return row?.newest ?? -1
}

/** Returns the conversations in which a user received messages, with the ranges of message ids. */
function receivedSpans(realm: RealmState, user: AccountRow) {
  const recipients: number[] = []
  const since: number[] = []
  const until: (number | null)[] = []
  for (const { channel_id, received } of realm.subscriptionsOfUser(user.id)) {
    for (const [from, to] of received) {
      recipients.push(realm.channels.require(channel_id).recipient_id)
      since.push(from)
      until.push(to)
    }
  }
  for (const { id } of realm.conversationsOfUser(user.id)) {
    recipients.push(id)
    since.push(0)
    until.push(null)
  }
  return { recipients, since, until }
}
