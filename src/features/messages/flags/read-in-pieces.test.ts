import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readOf } from '../../../../test/database-reads.ts'
import { testServer } from '../../../../test/test-server.ts'

const server = testServer()

/** Returns a user, and a channel with two topics whose messages alternate. The user has read one of the topics. */
async function readInPieces() {
  const org = await server.organization()
  const anna = await org.person()
  const { recipient_id, id } = await org.channel({ subscribers: [anna] })
  const { connections } = server.node.app.realms
  await sql`
    INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version,
      client, sent_at)
    SELECT ${org.id}, 1000000 + n, ${recipient_id}, ${org.owner.id}, CASE WHEN n % 2 = 0 THEN 'read' ELSE 'unread' END,
      'said', '<p>said</p>', 1, 'test', 1
    FROM generate_series(1, 8000) AS n`.execute(connections.db)
  await sql`
    INSERT INTO read_state (realm_id, user_id, recipient_id, read)
    SELECT ${org.id}, ${anna.id}, ${recipient_id}, range_agg(int8range(1000000 + n, 1000001 + n))
    FROM generate_series(2, 8000, 2) AS n`.execute(connections.db)
  await sql`UPDATE realm_head SET last_message_id = 1008000 WHERE realm_id = ${org.id}`.execute(
    connections.db,
  )
  await org.log.startOver()
  return { org, anna, connections, id, recipient_id }
}

test('thousands of ranges of what a user has read are unpacked once, not for each message', async () => {
  const { org, anna, connections, id } = await readInPieces()
  const { id: elsewhere } = await org.channel({ subscribers: [anna] })
  const pieces = sql<number>`toast_blks_read + toast_blks_hit + tidx_blks_read + tidx_blks_hit`
  const inTopic = [
    { operator: 'channel', operand: id },
    { operator: 'topic', operand: 'unread' },
  ]
  const isUnread = { operator: 'is', operand: 'unread' }
  const page = { num_before: 0, num_after: 10 }
  const requests = {
    'unread messages': () => anna.get('/messages', { ...page, anchor: 'oldest', narrow: [isUnread] }),
    'the first unread message of a topic': () =>
      anna.get('/messages', { ...page, anchor: 'first_unread', narrow: inTopic }),
    'to move messages to a channel where the reader came later': () =>
      org.owner.patch('/messages/1007001', { stream_id: elsewhere, propagate_mode: 'change_later' }),
    'to mark unread messages of a topic': () =>
      anna.post('/messages/flags/narrow', {
        ...{ ...page, anchor: 'oldest', narrow: [...inTopic, isUnread] },
        ...{ op: 'add', flag: 'read' },
      }),
    'to mark a topic': () => anna.post('/mark_topic_as_read', { stream_id: id, topic_name: 'unread' }),
  }
  for (const [name, request] of Object.entries(requests)) {
    const before = await readOf(connections, 'read_state', pieces)
    expect((await request()).body, name).toMatchObject({ result: 'success' })
    const unpacked = (await readOf(connections, 'read_state', pieces)) - before
    expect(unpacked, name).toBeLessThan(1_000)
  }
})

test('what a user has read in pieces is not compressed again with each message', async () => {
  const { org, anna, connections, recipient_id } = await readInPieces()
  const { body } = await anna.post('/messages/flags', { op: 'add', flag: 'read', messages: [1_000_001] })
  expect(body.messages).toEqual([1_000_001])
  const rows = await connections.read.rows(sql`
    SELECT pg_column_compression(read) AS compression FROM read_state
    WHERE realm_id = ${org.id} AND user_id = ${anna.id} AND recipient_id = ${recipient_id}`)
  expect(rows).toEqual([{ compression: null }])
})
