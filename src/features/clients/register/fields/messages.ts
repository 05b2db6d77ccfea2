import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import type { AccountRow } from '../../../../db/schema.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { shownUnread, unreadMessages } from '../../../kernel/flags/unread.ts'
import { recentConversations } from '../../../messages/messages/recent-conversations.ts'
import { ownSection, type Section } from '../section.ts'

const maxMessageId: Section<number> = {
  asked: ['message'],
  needsDatabase: (realm, me) => received(realm, me).unsure.length > 0,
  async read(at, realm, me) {
    const { newest, unsure } = received(realm, me)
    return unsure.length === 0 ? newest : Math.max(newest, await newestOf(at, realm, unsure))
  },
  // Messages that arrived since the read may be counted already: their events then change nothing.
  fields: ({ realm, me }, read = -1) => ({ max_message_id: Math.max(read, received(realm, me).newest) }),
}

export const messageSections = [
  maxMessageId as Section,
  ownSection(['message', 'update_message_flags'], unreadMessages, (unread, { capabilities }) => ({
    unread_msgs: shownUnread(unread, capabilities),
  })),
  ownSection(['recent_private_conversations'], recentConversations, (conversations) => ({
    recent_private_conversations: conversations,
  })),
]

/** Message ids of one recipient, from (inclusive) to (exclusive). */
type Span = { recipient: number; from: number; to: number }

/**
 * Returns the newest message that a user has received, as far as memory knows it (-1: none). Memory knows the newest
 * message of each conversation. If that arrived after the user had left a channel, a message in `unsure` may be the
 * user's newest.
 */
function received(realm: RealmState, me: AccountRow): { newest: number; unsure: Span[] } {
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
  return { newest, unsure: left.filter(({ to }) => to - 1 > newest) }
}

async function newestOf(read: Reader, realm: RealmState, spans: Span[]): Promise<number> {
  const query: RawBuilder<{ newest: number | null }> = sql`
    SELECT max(m.id) AS newest FROM json_to_recordset(${JSON.stringify(spans)}::json)
      AS x(recipient integer, "from" bigint, "to" bigint) CROSS JOIN LATERAL (
        SELECT id FROM message WHERE realm_id = ${realm.id} AND recipient_id = x.recipient
          AND id >= x."from" AND id < x."to" ORDER BY id DESC LIMIT 1) AS m`
  const [row] = await read.rows(query)
  return row?.newest ?? -1
}
