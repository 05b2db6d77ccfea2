import pg from 'pg'
import { expect, test } from 'vitest'
import { holdFirstWrite } from '../../../test/held-writes.ts'
import type { Answer } from '../../../test/http.ts'
import { testServer } from '../../../test/test-server.ts'

const here = testServer()
const { organization } = here

/** How many of the others' responses arrive before the caller's own, which is requested last. */
async function answeredBefore(
  own: () => Promise<Answer>,
  others: Promise<Answer>[],
  release: () => Promise<unknown>,
): Promise<number> {
  let before = 0
  const counted = others.map((answer) => answer.then(() => (before += 1)))
  expect((await own()).body).toMatchObject({ result: 'success' })
  const found = before
  await release()
  await Promise.all(counted)
  return found
}

test('one caller’s reads leave connections to the reads of others, however long they take', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const locking = new pg.Client({ connectionString: here.databaseUrl })
  await locking.connect()
  try {
    await locking.query('BEGIN')
    await locking.query('LOCK TABLE draft')
    const many = Array.from({ length: 20 }, () => ann.get('/drafts'))
    expect(
      await answeredBefore(
        () => bob.get('/saved_snippets'),
        many,
        () => locking.query('COMMIT'),
      ),
    ).toBe(0)
  } finally {
    await locking.end()
  }
})

test('a small change does not wait for the many large ones that another has asked for', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  // Only the first: the others are to wait behind it of themselves.
  const held = holdFirstWrite(org.log)
  const create = (room: number) =>
    ann.post('/users/me/subscriptions', {
      subscriptions: Array.from({ length: 3 }, (_, i) => ({ name: `room ${room} ${i}` })),
    })
  try {
    const many = Array.from({ length: 5 }, (_, i) => create(i))
    const { writing } = here.node.app.realms
    await expect.poll(() => [writing.held, writing.waitingCount]).toEqual([1, many.length - 1])
    const own = await bob.post('/users/me/alert_words', { alert_words: ['milk'] })
    expect(own.body).toMatchObject({ result: 'success' })
    held.release()
    await Promise.all(many)
  } finally {
    held.release()
  }
})
