import { sql } from 'kysely'
import { z } from 'zod'
import { user } from '../../http/access.ts'
import { query } from '../../http/endpoint.ts'
import { boolean, pathInteger } from '../../http/params.ts'
import { channelToRead } from '../channels/access.ts'
import { spectatorOf } from '../channels/web-public.ts'
import { visibleIn, visibleSql } from '../messages/access.ts'
import { emptyTopicDisplayName } from '../realm/settings.ts'

export const getChannelTopics = query('GET /users/me/{stream_id}/topics', {
  summary: 'List the topics of a channel, the one with the newest message first',
  access: user,
  spectator: spectatorOf,
  params: { stream_id: pathInteger(), allow_empty_topic_name: boolean().default(false) },
  returns: { topics: z.array(z.strictObject({ max_id: z.int(), name: z.string() })) },
  async handle({ realm, me, params, read }) {
    const channel = channelToRead(realm, me, params.stream_id)
    const visible = visibleIn(realm, me, [channel.recipient_id])
    // A topic is one whatever the case of its letters, and is shown as in its newest message.
    const topics = await read.rows<{ max_id: number; name: string }>(sql`
      SELECT newest.max_id, t.topic AS name FROM (
        SELECT max(m.id) AS max_id FROM message m
        WHERE m.realm_id = ${realm.id} AND m.recipient_id = ${channel.recipient_id} AND ${visibleSql(visible)}
        GROUP BY lower(m.topic)) AS newest
      JOIN message t ON t.realm_id = ${realm.id} AND t.id = newest.max_id
      ORDER BY newest.max_id DESC`)
    if (params.allow_empty_topic_name) return { topics }
    return { topics: topics.map(({ max_id, name }) => ({ max_id, name: name || emptyTopicDisplayName })) }
  },
})
