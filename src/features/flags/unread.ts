import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { AccountRow, MessageRow } from '../../db/schema.ts'
import { limits } from '../../lib/limits.ts'
import type { RealmState } from '../../log/realm-state.ts'

/**
 * The unread messages of a reader, as `message m … WHERE …`, to which callers may add conditions: what came in
 * subscriptions that last and in direct conversations, and is not in the reader's read state. One's own messages are
 * read if their client said so.
 */
export function unreadSql(realm: RealmState, me: AccountRow): RawBuilder<unknown> {
  const { recipients, since } = currentConversations(realm, me)
  return sql`unnest(${recipients}::integer[], ${since}::bigint[]) AS current(recipient_id, since)
    LEFT JOIN read_state s
      ON s.realm_id = ${realm.id} AND s.user_id = ${me.id} AND s.recipient_id = current.recipient_id
    JOIN message m ON m.realm_id = ${realm.id} AND m.recipient_id = current.recipient_id
      AND m.id >= greatest(current.since, ${readUpTo(sql`s.read`)})
    WHERE NOT coalesce(s.read @> m.id, false) AND NOT (m.sender_id = ${me.id} AND m.read_by_sender)`
}

/** Everything below this is read: where the first range ends, if it begins at the beginning. Spares most look-ups. */
function readUpTo(read: RawBuilder<unknown>) {
  return sql`coalesce((SELECT upper(r) FROM unnest(${read}) r WHERE lower(r) <= 1 LIMIT 1), 0)`
}

/** The conversations that go on for a reader, and the message id since which each does. */
export function currentConversations(realm: RealmState, me: AccountRow) {
  const recipients: number[] = []
  const since: number[] = []
  for (const { channel_id, received } of realm.subscriptionsOfUser(me.id)) {
    const [from, to] = received.at(-1)!
    if (to !== null) continue
    recipients.push(realm.channels.get(channel_id)!.recipient_id)
    since.push(from)
  }
  for (const { id } of realm.conversationsOfUser(me.id)) {
    recipients.push(id)
    since.push(0)
  }
  return { recipients, since }
}

type Unread = Pick<MessageRow, 'id' | 'recipient_id' | 'topic' | 'sender_id' | 'mentions_channel'> & {
  mentioned: boolean
}

/** `unread_msgs` of POST /register: the newest 50,000 unread messages by conversation. */
export async function unreadMessages(read: Reader, realm: RealmState, me: AccountRow) {
  const rows = await read.rows<Unread>(sql`
    SELECT * FROM (
      SELECT m.id, m.recipient_id, m.topic, m.sender_id, m.mentions_channel, EXISTS (
        SELECT FROM message_flag f WHERE f.realm_id = ${realm.id} AND f.user_id = ${me.id} AND f.message_id = m.id
          AND f.flag = 'mentioned') AS mentioned
      FROM ${unreadSql(realm, me)} ORDER BY m.id DESC LIMIT ${limits.unreadMessages + 1}) AS newest
    ORDER BY id`)
  const missing = rows.length > limits.unreadMessages
  return group(realm, me, missing ? rows.slice(1) : rows, missing)
}

function group(realm: RealmState, me: AccountRow, rows: Unread[], oldUnreadsMissing: boolean) {
  const streams = new Grouping<{ stream_id: number; topic: string }>()
  const pms = new Grouping<{ other_user_id: number; sender_id: number }>()
  const huddles = new Grouping<{ user_ids_string: string }>()
  for (const { id, recipient_id, topic } of rows) {
    const recipient = realm.recipients.get(recipient_id)!
    const users = recipient.user_ids
    if (!users) {
      // Readers take the newest spelling of a topic, whatever the case of its letters.
      streams.add(`${recipient_id}:${topic.toLowerCase()}`, id, { stream_id: recipient.channel_id!, topic })
    } else if (users.length > 2) {
      huddles.add(recipient_id, id, { user_ids_string: users.join() })
    } else {
      const other = users.find((user) => user !== me.id) ?? me.id
      pms.add(recipient_id, id, { other_user_id: other, sender_id: other })
    }
  }
  return {
    pms: pms.list(),
    streams: streams.list(),
    huddles: huddles.list(),
    mentions: rows.filter((row) => row.mentioned || row.mentions_channel).map((row) => row.id),
    count: rows.length,
    old_unreads_missing: oldUnreadsMissing,
  }
}

class Grouping<Name extends object> {
  private readonly groups = new Map<number | string, Name & { unread_message_ids: number[] }>()

  add(key: number | string, id: number, name: Name) {
    const ids = this.groups.get(key)?.unread_message_ids ?? []
    ids.push(id)
    this.groups.set(key, { ...name, unread_message_ids: ids })
  }

  list() {
    return [...this.groups.values()]
  }
}
