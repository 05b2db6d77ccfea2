import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedServer } from '../../../../../test/test-server.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import { messagingLimits } from '../../kernel/messages/limits.ts'

const server = sharedServer()

/** 41 of them fill a side of a page around an anchor, and 83 a page on one side of it. The one at the anchor is among them. */
const length = 200_000
const count = 260

async function setting(stored = count) {
  const org = await server.organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [anna] })
  await org.log.commit(async (change) => {
    // A few with each statement: PostgreSQL compresses all of it, and a statement may take only so long.
    for (let first = 1; first <= stored; first += 20) {
      await change.run(sql`
        INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content, rendered_version, client, sent_at)
        SELECT ${org.id}, g, ${channel.recipient_id}, ${anna.id}, 'topic', 'text', repeat('x', ${length}), 1, 'test', 1
        FROM generate_series(${first}::integer, ${Math.min(first + 19, stored)}::integer) g`)
    }
    change.lastMessageId = stored
  })
  const page = async (params: Record<string, unknown>) => {
    const narrow = [{ operator: 'channel', operand: channel.id }]
    const { body } = await anna.get('/messages', { num_before: 0, num_after: 0, narrow, ...params })
    const { messages, found_oldest, found_newest } = body
    const ids: number[] = messages.map(({ id }: { id: number }) => id)
    return { ids, found_oldest, found_newest }
  }
  const named = (ids: number[]) => anna.get('/messages', { message_ids: ids })
  return { page, named }
}

test('a page of very many long messages has those next to the anchor, and others follow', async () => {
  const { page } = await setting()
  const last = await page({ anchor: 'newest', num_before: count })
  expect(last).toEqual({ ids: numbers(179, count), found_oldest: false, found_newest: true })
  expect(await page({ anchor: 130, num_before: 100, num_after: 100 })).toEqual({
    ids: numbers(90, 171),
    found_oldest: false,
    found_newest: false,
  })
  const seen = [...last.ids]
  for (let isOldest = false; !isOldest; ) {
    const older = await page({ anchor: seen[0], num_before: count, include_anchor: false })
    seen.unshift(...older.ids)
    isOldest = older.found_oldest
  }
  expect(seen).toEqual(numbers(1, count))
})

test('a page of few messages has all of them', async () => {
  const { page } = await setting()
  const { messagesOfAnyLength } = messagingLimits
  const { ids } = await page({ anchor: 'newest', num_before: messagesOfAnyLength })
  expect(ids).toEqual(numbers(count - messagesOfAnyLength + 1, count))
})

test('messages that are named are returned unless they are too long together', async () => {
  const { named } = await setting(180)
  const { messagesOfAnyLength } = messagingLimits
  const msg = `message_ids names too long messages (limit: ${messageLimits.longestPageMib} MiB together)`
  expect(await named(numbers(1, 180))).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } })
  expect((await named(numbers(1, messagesOfAnyLength))).body.messages).toHaveLength(messagesOfAnyLength)
})

function numbers(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
