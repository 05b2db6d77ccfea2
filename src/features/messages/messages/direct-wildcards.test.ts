import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned']

test('a wildcard in a direct message mentions all participants and no other user', async () => {
  const org = await organization()
  const [anna, ben, carol, dora] = await Promise.all([org.person(), org.person(), org.person(), org.person()])
  const clients = [await ben.register(), await carol.register()]
  const outside = await dora.register()
  const to = [ben.id, carol.id]
  const send = async (content: string): Promise<number> =>
    (await anna.post('/messages', { type: 'direct', to, content })).body.id
  const loud = await send('@**all** look')
  const plain = await send('@_**all** and @**topic**')
  for (const client of clients) {
    expect(await client.events()).toMatchObject([
      { message: { id: loud }, flags: wildcard },
      { message: { id: plain }, flags: [] },
    ])
    await client.expectStateToMatch()
  }
  expect((await ben.register()).state.unread_msgs.mentions).toEqual([loud])
  expect(await outside.events()).toEqual([])
  const narrow = [['is', 'mentioned']]
  const mentions = async (who: typeof ben) =>
    (await who.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })).body.messages
  expect(await mentions(ben)).toMatchObject([{ id: loud, flags: wildcard }])
  expect(await mentions(dora)).toEqual([])
  await anna.patch(`/messages/${loud}`, { content: 'never mind' })
  await anna.patch(`/messages/${plain}`, { content: '@**everyone** look' })
  expect(await mentions(ben)).toMatchObject([{ id: plain, flags: wildcard }])
  for (const client of clients) await client.expectStateToMatch()
})

test('wildcards in direct messages have no limit on participants', async () => {
  const org = await organization()
  const anna = await org.person()
  const people = await Promise.all(Array.from({ length: 17 }, () => org.person({ role: 'guest' })))
  const { body } = await anna.post('/messages', {
    type: 'direct',
    to: people.map(({ id }) => id),
    content: '@**all** hello',
  })
  expect(body).toMatchObject({ result: 'success' })
})
