import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean, pathInteger } from '../../../http/params.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { hasContentAccess, invalidChannelId } from '../../kernel/channels/access.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { type Visible, visibleIn, visibleSql } from '../../kernel/messages/access.ts'
import { shownTopic } from '../../kernel/topics/shown-topic.ts'

export const getChannelTopics = query('GET /users/me/{stream_id}/topics', {
  summary: 'List the topics of a channel, the most recently used first',
  fromReplica: true,
  access: requireUser,
  spectator: spectatorOf,
  params: { stream_id: pathInteger(), allow_empty_topic_name: boolean().default(false) },
  returns: { topics: z.array(z.strictObject({ max_id: z.int(), name: z.string() })) },
  async handle({ realm, me, params, read }) {
    const channel = channelWithTopics(realm, me, params.stream_id)
    const visible = visibleIn(realm, me, [channel.recipient_id])
    const topics = await read.rows<{ max_id: number; name: string }>(sql`
      WITH RECURSIVE ${topicsOf(realm.id, channel.recipient_id)}
      SELECT t.id AS max_id, t.topic AS name
      FROM (${newestOf(realm.id, channel.recipient_id, visible)}) AS newest
      JOIN message t ON t.realm_id = ${realm.id} AND t.id = newest.id
      ORDER BY t.id DESC`)
    const nameOf = (topic: string) => shownTopic(topic, params.allow_empty_topic_name)
    return { topics: topics.map(({ max_id, name }) => ({ max_id, name: nameOf(name) })) }
  },
})

/**
 * Returns a channel whose messages the user may read. Archived channels are included, since their messages stay
 * readable.
 */
function channelWithTopics(realm: RealmState, me: AccountRow, id: number): ChannelRow {
  const channel = realm.channels.get(id)
  if (!channel || !hasContentAccess(realm, me, channel)) throw invalidChannelId()
  return channel
}

/**
 * Lists the topics of a channel, ignoring case, each with its newest message. The query steps from one topic to the
 * next in the index, so its cost does not depend on the number of messages.
 */
function topicsOf(realmId: number, recipientId: number) {
  const last = (before: RawBuilder<unknown>) => sql`
    SELECT m.id, lower(m.topic) AS name FROM message m
    WHERE m.realm_id = ${realmId} AND m.recipient_id = ${recipientId} AND ${before}
    ORDER BY lower(m.topic) DESC, m.id DESC LIMIT 1`
  return sql`topic AS (
    (${last(sql`true`)})
    UNION ALL SELECT next.* FROM topic CROSS JOIN LATERAL (${last(sql`lower(m.topic) < topic.name`)}) AS next)`
}

/** Finds the newest message of each topic that the reader may see. */
function newestOf(realmId: number, recipientId: number, visible: Visible) {
  if (visible.parts.length === 0 && visible.whole.length === 1) return sql`SELECT id FROM topic`
  return sql`SELECT (
      SELECT max(m.id) FROM message m
      WHERE m.realm_id = ${realmId} AND m.recipient_id = ${recipientId} AND lower(m.topic) = topic.name
        AND ${visibleSql(visible)}) AS id
    FROM topic`
}
