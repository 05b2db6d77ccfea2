import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { ignore } from '../../../lib/guard.ts'
import { firstIn } from '../../../lib/must.ts'
import { logLimits } from '../../../log/limits.ts'
import { type LogMoment, logMoment } from '../../../log/log-moment.ts'
import { RecentByConversation, type RecentMessage } from '../../../log/memory/recent-messages.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { MessageBody } from '../messages/message.event.ts'

/** How many messages are read, and how many together. */
type Extent = { messages: number; portion: number }

/** Messages that are sent later need room, too. */
const roomForReading = logLimits.recentBytesOfOrganization / 2

/**
 * Reads the newest messages into memory if someone had many unread ones before. If that fails, the database is asked for
 * all that is unread, as before.
 */
export async function prepareRecent(read: Reader, realm: RealmState) {
  if (!realm.recent.isMissing) return
  const { recentMessages: messages, recentPortion: portion } = logLimits
  await readRecent(read, realm, { messages, portion }).catch(ignore)
}

/** Reads the newest messages, the newest first, as far as there is room for them. */
export async function readRecent(read: Reader, realm: RealmState, { messages, portion }: Extent) {
  const { position } = realm
  const { keep, abandon } = realm.recent.follow(recentOf)
  try {
    const portions: RecentByConversation[] = []
    const topics = new Map<string, string>()
    let [from, left, room] = [Number.MAX_SAFE_INTEGER, messages, roomForReading]
    while (left > 0 && room > 0 && from > 0) {
      const lists = await readBefore(read, realm, from, portion)
      // Read in a database that is behind, or that the organization has left.
      if (lists.epoch !== realm.epoch || (lists.position ?? -1) < position) return abandon()
      const found = messagesOf(lists)
      const byConversation = new RecentByConversation(topics)
      for (const message of found) byConversation.add(message)
      portions.unshift(byConversation)
      from = found.length < portion ? 0 : firstIn(found).id
      left -= portion
      room -= byConversation.bytes
    }
    keep(portions, from)
  } catch (error) {
    abandon()
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
type Lists = LogMoment & {
  ids: number[] | null
  recipients: number[]
  topics: string[]
  readFor: number[]
  mentioned: RecentMessage['mentioned'][]
}

/** Reads a portion of the messages before one, the newest first. */
async function readBefore(read: Reader, realm: RealmState, before: number, portion: number): Promise<Lists> {
  const rows = await read.prepared<Lists>(
    'recent',
    sql`
    SELECT ${logMoment(realm.id)},
      json_agg(id) AS ids, json_agg(recipient_id) AS recipients, json_agg(topic) AS topics,
      json_agg(CASE WHEN read_by_sender THEN sender_id ELSE 0 END) AS "readFor",
      json_agg(CASE WHEN mentions_channel THEN '"all"'::json ELSE to_json(topic_mentioned) END) AS mentioned
    FROM (
      SELECT id, recipient_id, topic, sender_id, read_by_sender, mentions_channel, topic_mentioned FROM message
      WHERE realm_id = ${realm.id} AND id < ${before} ORDER BY id DESC LIMIT ${portion}) AS m`,
  )
  return firstIn(rows)
}

/** Returns the messages, the oldest first. */
function messagesOf({ ids, recipients, topics, readFor, mentioned }: Lists): RecentMessage[] {
  const messages = (ids ?? []).map((id, i) => ({
    id,
    recipient: recipients[i]!,
    topic: topics[i]!,
    readFor: readFor[i]!,
    mentioned: mentioned[i]!,
  }))
  return messages.reverse()
}
