import pg from 'pg'
import { expect, test } from 'vitest'
import { testServer } from '../../../../test/test-server.ts'

const server = testServer()

const channels = 4_000
const messages = 30_000

test('messages of thousands of private channels can be looked through, also by who left and came back', async () => {
  const org = await server.organization()
  const ben = await org.person()
  const { permissions } = await org.channel()
  const db = new pg.Client({ connectionString: server.databaseUrl })
  await db.connect()
  const run = (statement: string, values: unknown[] = []) => db.query(statement, [org.id, ...values])
  await run(
    `INSERT INTO channel (realm_id, recipient_id, name, is_private, history_public_to_subscribers, permissions, created_at)
     SELECT $1, 0, 'many ' || g, true, false, $2, 1 FROM generate_series(1, ${channels}) g`,
    [JSON.stringify(permissions)],
  )
  await run(`INSERT INTO recipient (realm_id, channel_id)
    SELECT realm_id, id FROM channel WHERE realm_id = $1 AND recipient_id = 0`)
  await db.query('ANALYZE channel, recipient')
  await run(`UPDATE channel c SET recipient_id = r.id FROM recipient r
    WHERE c.realm_id = $1 AND c.recipient_id = 0 AND r.realm_id = c.realm_id AND r.channel_id = c.id`)
  // He was away while half of the messages came.
  await run(
    `INSERT INTO subscription (realm_id, user_id, channel_id, received, color)
     SELECT realm_id, $2, id, '[[1, 2], [${messages / 2}, null]]', '#000000' FROM channel
     WHERE realm_id = $1 AND name LIKE 'many%'`,
    [ben.id],
  )
  await run(
    `INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client, sent_at)
     SELECT $1, g + 1, c.recipient_id, $2, 'topic', 'text', '<p>text</p>', 1, 'test', 1
     FROM generate_series(0, ${messages - 1}) g
     JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS place FROM channel WHERE realm_id = $1 AND name LIKE 'many%') c
       ON c.place = g % ${channels}`,
    [org.owner.id],
  )
  await run(`UPDATE realm_head SET last_message_id = ${messages} WHERE realm_id = $1`)
  await db.query('ANALYZE')
  await db.end()
  const { port } = await server.anotherNode()
  const narrow = JSON.stringify([['sender', org.owner.email]])
  const page = { anchor: 'oldest', num_before: 0, num_after: 2, narrow }
  const found = await ben.at({ ...ben.place, port }).get('/messages', page)
  expect(found.body.messages.map(({ id }: { id: number }) => id)).toEqual([1, messages / 2])
})
