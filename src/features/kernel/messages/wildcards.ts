import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow, ChannelRow, MessageRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Returns the flags of a received message that wildcard mentions cause. */
export function wildcardFlags(
  { mentions_channel, topic_mentioned }: Pick<MessageRow, 'mentions_channel' | 'topic_mentioned'>,
  userId: number,
): string[] {
  const inTopic = topic_mentioned?.includes(userId) ?? false
  if (!mentions_channel && !inTopic) return []
  return [
    ...(mentions_channel ? ['stream_wildcard_mentioned'] : []),
    ...(inTopic ? ['topic_wildcard_mentioned'] : []),
    'wildcard_mentioned', // what clients knew before there were two kinds
  ]
}

type Place = { channel: ChannelRow | undefined; topic: string }

/**
 * Returns the participants of a topic if the text may call them all: the users who have written there or reacted to a
 * message. With the id of a message, its writer takes part as well.
 */
export async function topicParticipants(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  { channel, topic }: Place,
  content: string,
): Promise<number[] | undefined> {
  if (!channel || !/@\*\*topic\*\*/i.test(content)) return undefined
  const inTopic = sql`m.realm_id = ${realm.id} AND m.recipient_id = ${channel.recipient_id}
    AND lower(m.topic) = lower(${topic}::text)`
  const rows = await read.rows<{ id: number }>(sql`
    SELECT m.sender_id AS id FROM message m WHERE ${inTopic}
    UNION SELECT r.user_id FROM message m
      JOIN reaction r ON r.realm_id = m.realm_id AND r.message_id = m.id WHERE ${inTopic}`)
  return [...new Set([...rows.map((row) => row.id), me.id])]
}
