import { expect, test } from 'vitest'
import { sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('the extent of a move is what the move then includes, by sender', async () => {
  const org = await organization()
  const [anna, ben, eve] = [await org.person(), await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben], isPrivate: true, hasOpenHistory: true })
  const [byAnna, byBen] = [sender(anna, channel), sender(ben, channel)]
  await byAnna('t', 'one')
  const second = await byBen('T', 'two')
  await byBen('t', 'three')
  await byBen('other', 'four')
  const extent = async (mode: string) =>
    (await anna.get(`/rookery/messages/${second}/move_extent`, { propagate_mode: mode })).body
  expect(await extent('change_one')).toMatchObject({ count: 1, senders: [{ user_id: ben.id, count: 1 }] })
  expect(await extent('change_later')).toMatchObject({ count: 2, sender_count: 1 })
  const all = await extent('change_all')
  expect(all).toMatchObject({
    count: 3,
    sender_count: 2,
    senders: [
      { user_id: ben.id, count: 2 },
      { user_id: anna.id, count: 1 },
    ],
  })
  expect(all.first_timestamp).toBeLessThanOrEqual(all.last_timestamp)
  await anna.patch(`/messages/${second}`, { topic: 'new', propagate_mode: 'change_all' })
  const moved = await anna.get('/messages', {
    narrow: [
      { operator: 'channel', operand: channel.id },
      { operator: 'topic', operand: 'new' },
      { operator: 'sender', operand: ben.id },
    ],
    anchor: 'newest',
    num_before: 10,
  })
  expect(moved.body.messages.length).toBe(2)

  const refused = await eve.get(`/rookery/messages/${second}/move_extent`)
  expect(refused.body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' })
})

test('messages from before a subscriber came do not count for them', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({
    subscribers: [anna],
    isPrivate: true,
    hasOpenHistory: false,
  })
  const send = sender(anna, channel)
  await send('t', 'before')
  await anna.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [ben.id],
  })
  const id = await send('t', 'after')
  const count = async (who: typeof anna) =>
    (await who.get(`/rookery/messages/${id}/move_extent`, { propagate_mode: 'change_all' })).body.count
  expect([await count(anna), await count(ben)]).toEqual([2, 1])
})

test('direct messages have no extent', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const { body } = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  const refused = await ben.get(`/rookery/messages/${body.id}/move_extent`)
  expect(refused.body.msg).toBe('Direct messages cannot be moved to channels.')
})
