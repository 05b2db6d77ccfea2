import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readOf } from '../../../../../test/database-reads.ts'
import type { Organization } from '../../../../../test/organization.ts'
import { testServer } from '../../../../../test/test-server.ts'

const server = testServer()

/** Enough that PostgreSQL would replace the plan of a prepared statement by one for any values. */
const requests = 20
const page = 50
const messages = 15_000
const conversations = 1_000

/** Older than what is in memory of all conversations. */
const old = 1_009_001

test('reads the messages that it passes, rather than all that a user receives, to find the newest before one', async () => {
  const org = await server.organization()
  const reader = await org.person()
  await org.channel({ subscribers: [reader] })
  const { recipient_id } = await org.channel({ subscribers: [reader] })
  await addMessages(org, recipient_id)
  const before = await messagesRead()
  for (let i = 0; i < requests; i++) {
    const { body } = await reader.get('/messages', { anchor: old, num_before: page, num_after: 0 })
    expect(body.messages).toHaveLength(page)
  }
  const readEach = ((await messagesRead()) - before) / requests
  expect(readEach).toBeGreaterThanOrEqual(page)
  expect(readEach).toBeLessThan(page * 15)
})

test('reads no message for a page that another reader had before', async () => {
  const org = await server.organization()
  const readers = [await org.person(), await org.person()]
  const { id } = await org.channel({ subscribers: readers })
  const inChannel = [{ operator: 'channel', operand: id }]
  const pageFor = async (reader = readers[0]!, narrow = inChannel) => {
    const { body } = await reader.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow })
    return body.messages.map((message: { content: string }) => message.content)
  }
  const send = (content: string) =>
    org.owner.post('/messages', { type: 'channel', to: id, topic: 'x', content })
  for (let i = 0; i < 12; i++) await send(`${i}`)
  for (const narrow of [inChannel, []]) {
    await pageFor(readers[0], narrow)
    await send('twelve')
    await settle()
    const before = await messagesRead()
    expect((await pageFor(readers[0], narrow)).at(-1)).toBe('<p>twelve</p>')
    expect(await pageFor(readers[1], narrow)).toHaveLength(10)
    expect(await messagesRead()).toBe(before)
  }
})

test('reads no message to find the first unread one of a topic or a direct conversation that is in memory', async () => {
  const org = await server.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const { id } = await org.channel({ subscribers: [anna, ben] })
  const places = [
    { to: { type: 'channel', to: id, topic: 'x' }, narrow: { channel: id, topic: 'X' } },
    { to: { type: 'direct', to: [ben.id] }, narrow: { dm: [anna.id] } },
  ]
  for (const { to, narrow } of places) {
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.push((await anna.post('/messages', { ...to, content: 'hi' })).body.id)
    const terms = Object.entries(narrow).map(([operator, operand]) => ({ operator, operand }))
    const pageAt = async (anchor: string) => {
      const { body } = await ben.get('/messages', { anchor, num_before: 3, num_after: 2, narrow: terms })
      return { anchor: body.anchor, ids: body.messages.map((message: { id: number }) => message.id) }
    }
    const mark = (op: string, messages: number[]) =>
      ben.post('/messages/flags', { op, flag: 'read', messages })
    await mark('add', ids.slice(0, 10))
    // Not the whole place is in memory.
    await pageAt('newest')
    await mark('add', ids.slice(10, 11))
    await pageAt('newest')
    await settle()
    const before = await messagesRead()
    expect(await pageAt('first_unread')).toEqual({ anchor: ids[11], ids: ids.slice(8) })
    expect(await messagesRead()).toBe(before)
    await mark('remove', ids.slice(5, 6))
    expect(await pageAt('first_unread')).toEqual({ anchor: ids[5], ids: ids.slice(2, 8) })
  }
})

/**
 * Lets the server do its work, as what looks for missed messages reads each new one once, and PostgreSQL learn how few rows there
 * are: a plan for more fetches a first message before it finds that the reader has no flags.
 */
async function settle() {
  await server.workOff()
  await sql`ANALYZE`.execute(server.node.app.realms.connections.db)
}

/** Returns how many rows of messages all connections have read so far; see `settle`. */
function messagesRead(): Promise<number> {
  const count = sql<number>`coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0)`
  return readOf(server.node.app.realms.connections, 'message', count)
}

/** Adds messages without events: every tenth to this conversation, and the others to many. */
async function addMessages(org: Organization, busy: number) {
  const { db } = server.node.app.realms.connections
  await sql`
    INSERT INTO recipient (realm_id, id, user_ids)
    SELECT ${org.id}, 1000000 + n, ARRAY[${org.owner.id}::integer, 1000000 + n]
    FROM generate_series(1, ${conversations}::integer) AS n`.execute(db)
  await sql`
    INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version,
      client, sent_at)
    SELECT ${org.id}, 1000000 + n,
      CASE WHEN n % 10 = 0 THEN ${busy}::integer ELSE 1000001 + n * 31 % ${conversations}::integer END,
      ${org.owner.id}, 'x', 'said', '<p>said</p>', 1, 'test', 1
    FROM generate_series(1, ${messages}::integer) AS n`.execute(db)
  await sql`ANALYZE message`.execute(db)
}
