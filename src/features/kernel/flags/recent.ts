import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { firstIn } from '../../../lib/must.ts'
import { logLimits } from '../../../log/limits.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { RecentMessage } from '../../../log/recent-messages.ts'
import type { MessageBody } from '../messages/message.event.ts'

/** How many messages are read together: their JSON takes the event loop's time. */
const portion = 20_000

/** Reads the newest messages into memory if someone had many unread ones before. */
export async function prepareRecent(read: Reader, realm: RealmState) {
  if (!realm.recent.isMissing) return
  const keep = realm.recent.follow(recentOf)
  try {
    const portions: RecentMessage[][] = []
    let from = Number.MAX_SAFE_INTEGER
    for (let count = 0; count < logLimits.recentMessages && from > 0; count += portion) {
      const found = await readBefore(read, realm, from)
      portions.unshift(found)
      from = found.length < portion ? 0 : firstIn(found).id
    }
    keep(portions.flat(), from)
  } catch (error) {
    realm.recent.clear()
    throw error
  }
}

/** Returns the part of a sent message that is held; undefined if it has been moved or deleted since. */
function recentOf(body: unknown): RecentMessage | undefined {
  const { message, recipient } = (body ?? {}) as Partial<MessageBody>
  if (!message || recipient !== message.recipient_id) return undefined
  const { id, topic, sender_id, read_by_sender, mentions_channel, topic_mentioned } = message
  const mentioned = mentions_channel ? 'all' : topic_mentioned
  return { id, recipient, topic, readFor: read_by_sender ? sender_id : 0, mentioned }
}

/** A list of each property, which takes less time to parse than a row of each message. */
type Lists = { ids: number[] | null } & Record<'recipients' | 'readFor', number[]> & {
    topics: string[]
    mentioned: RecentMessage['mentioned'][]
  }

async function readBefore(read: Reader, realm: RealmState, before: number): Promise<RecentMessage[]> {
  const rows = await read.prepared<Lists>(
    'recent',
    sql`
    SELECT json_agg(id) AS ids, json_agg(recipient_id) AS recipients, json_agg(topic) AS topics,
      json_agg(CASE WHEN read_by_sender THEN sender_id ELSE 0 END) AS "readFor", json_agg(CASE WHEN mentions_channel THEN '"all"'::json ELSE to_json(topic_mentioned) END) AS mentioned
    FROM (
      SELECT id, recipient_id, topic, sender_id, read_by_sender, mentions_channel, topic_mentioned FROM message
      WHERE realm_id = ${realm.id} AND id < ${before} ORDER BY id DESC LIMIT ${portion}) AS m`,
  )
  const { ids, recipients, topics, readFor, mentioned } = firstIn(rows)
  const messages = (ids ?? []).map((id, i) => ({
    id,
    recipient: recipients[i]!,
    topic: topics[i]!,
    readFor: readFor[i]!,
    mentioned: mentioned[i]!,
  }))
  return messages.reverse()
}
