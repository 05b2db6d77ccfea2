import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Lookup } from '../../../markdown/render.ts'

/**
 * Finds the newest messages of the topics that a text links to, so that it can be rendered. Private channels are
 * excluded: the text's readers may not have access to them.
 */
export async function newestInTopics(
  read: Reader,
  realm: RealmState,
  text: string,
): Promise<Pick<Lookup, 'newestInTopic'>> {
  const topics = topicsIn(realm, text)
  if (topics.length === 0) return {}
  const rows = await read.rows(sql<{ channelId: number; topic: string; newest: number }>`
    SELECT channel_id AS "channelId", topic, newest
    FROM unnest(${topics.map((one) => one.channelId)}::integer[], ${topics.map((one) => one.recipientId)}::integer[],
      ${topics.map((one) => one.topic)}::text[]) AS linked(channel_id, recipient_id, topic),
    LATERAL (
      SELECT m.id AS newest FROM message m
      WHERE m.realm_id = ${realm.id} AND m.recipient_id = linked.recipient_id AND lower(m.topic) = lower(linked.topic)
      ORDER BY m.id DESC LIMIT 1) AS found`)
  const newest = new Map(rows.map((row) => [keyOf(row), row.newest]))
  return { newestInTopic: (channelId, topic) => newest.get(keyOf({ channelId, topic })) }
}

/** Returns the topics that the text names, whether or not the renderer turns them into links. */
function topicsIn(realm: RealmState, text: string) {
  const topics = new Map<string, { channelId: number; recipientId: number; topic: string }>()
  for (const [, name = '', topic = ''] of text.matchAll(/#\*\*([^*>]+)>([^*]*)\*\*/g)) {
    const channel = realm.channelByName(lower(name))
    if (!channel || channel.is_private) continue
    const one = { channelId: channel.id, recipientId: channel.recipient_id, topic: topic }
    topics.set(keyOf(one), one)
  }
  return [...topics.values()]
}

function keyOf({ channelId, topic }: { channelId: number; topic: string }) {
  return `${channelId} ${topic}`
}
