import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedServer } from '../../../../../test/test-server.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import { editLimits } from '../../editing/limits.ts'
import { messagingLimits } from '../../kernel/messages/limits.ts'

// A message takes 10,000 characters. Its earlier versions, and what others add to it, may take a hundred times as much.

const server = sharedServer()
const { messagesOfAnyLength, longestPageMib } = { ...messagingLimits, ...messageLimits }

/** Each of these has as long a history as a message can have; 33 of them are read together. */
const count = 40

async function setting() {
  const org = await server.organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [anna] })
  const text = `repeat('x', ${editLimits.editHistoryBytes - 100})`
  await org.log.commit(async (change) => {
    await change.run(sql`
      INSERT INTO message
        (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client, sent_at, edit_history)
      SELECT ${org.id}, g, ${channel.recipient_id}, ${anna.id}, 'topic', 'word', '<p>word</p>', 1, 'test', 1,
        jsonb_build_array(jsonb_build_object('user_id', ${anna.id}::integer, 'at', 1, 'content', ${sql.raw(text)}, 'rendered', ''))
      FROM generate_series(1, ${count}) g`)
    change.lastMessageId = count
  })
  return { org, anna, narrow: [{ operator: 'channel', operand: channel.id }] }
}

const all = Array.from({ length: count }, (_, i) => i + 1)
const idsOf = ({ messages }: { messages: { id: number }[] }) => messages.map(({ id }) => id)

test('a page of messages with long histories has those next to the anchor, and others follow', async () => {
  const { anna, narrow } = await setting()
  const seen: number[] = []
  for (let isNewest = false; !isNewest; ) {
    const anchor = seen.at(-1) ?? 0
    const params = { anchor, include_anchor: false, num_before: 0, num_after: messagesOfAnyLength, narrow }
    const { body } = await anna.get('/messages', params)
    const ids = idsOf(body)
    expect(ids.length).toBeGreaterThan(1)
    expect(ids.length).toBeLessThan(count)
    seen.push(...ids)
    isNewest = body.found_newest
  }
  expect(seen).toEqual(all)
})

test('so have the feed and a search', async () => {
  const { anna, narrow } = await setting()
  const search = [...narrow, { operator: 'search', operand: 'word' }]
  for (const asked of [[], search, [{ operator: 'search', operand: 'word' }]]) {
    const params = { anchor: 'newest', num_before: messagesOfAnyLength, num_after: 0, narrow: asked }
    const { status, body } = await anna.get('/messages', params)
    expect(status).toBe(200)
    const ids = idsOf(body)
    expect(ids).toEqual(all.slice(-ids.length))
    expect(ids.length).toBeLessThan(count)
    expect(body).toMatchObject({ found_newest: true, found_oldest: false })
  }
})

test('messages with long histories are not returned together if they are named', async () => {
  const { anna, narrow } = await setting()
  const refusal = (name: string) => ({
    status: 400,
    body: { msg: `${name} names too long messages (limit: ${longestPageMib} MiB together)` },
  })
  expect(await anna.get('/messages', { message_ids: all })).toMatchObject(refusal('message_ids'))
  expect(await anna.get('/messages/matches_narrow', { msg_ids: all, narrow })).toMatchObject(
    refusal('msg_ids'),
  )
  expect((await anna.get('/messages', { message_ids: all.slice(0, 5) })).body.messages).toHaveLength(5)
})

test('flags of messages with long histories are changed together', async () => {
  const { anna, narrow } = await setting()
  const flag = { op: 'add', flag: 'starred' }
  expect((await anna.post('/messages/flags', { ...flag, messages: all })).body.messages).toEqual(all)
  const params = { anchor: 'oldest', num_before: 0, num_after: count, narrow, op: 'add', flag: 'read' }
  expect((await anna.post('/messages/flags/narrow', params)).body).toMatchObject({ updated_count: count })
})

test('votes and reactions count towards the length of a page', async () => {
  const { org, anna, narrow } = await setting()
  await org.log.commit(async (change) => {
    await change.run(sql`UPDATE message SET edit_history = NULL WHERE realm_id = ${org.id}`)
    await change.run(sql`
      INSERT INTO submessage (realm_id, message_id, sender_id, msg_type, content)
      SELECT ${org.id}, m, ${anna.id}, 'widget', repeat('x', 10000)
      FROM generate_series(1, ${count}) m, generate_series(1, 100)`)
  })
  const params = { anchor: 'newest', num_before: messagesOfAnyLength, num_after: 0, narrow }
  const { body } = await anna.get('/messages', params)
  expect(idsOf(body).length).toBeLessThan(count)
  expect(body).toMatchObject({ found_newest: true, found_oldest: false })
})
