import { expect, test } from 'vitest'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { noCapabilities } from '../../../queues/queue.ts'

const { organization, pass } = testServer()

const setting = async () => annaAndBen(await organization())

test('participants of a conversation see who is typing, and no other user does', async () => {
  const { org, anna, ben } = await setting()
  const eve = await org.person()
  const [his, hers, mine] = [await ben.register(), await eve.register(), await anna.register()]
  expect((await anna.post('/typing', { op: 'start', to: [ben.id] })).body).toEqual({
    result: 'success',
    msg: '',
  })
  const person = ({ id, email }: Person) => ({ user_id: id, email })
  const [event] = await his.events()
  expect(event).toEqual({
    id: expect.any(Number),
    type: 'typing',
    op: 'start',
    message_type: 'direct',
    sender: person(anna),
    recipients: [person(ben), person(anna)],
  })
  expect(await mine.events()).toEqual([event])
  expect(await hers.events()).toEqual([])
})

test('clients that support channel typing events receive them', async () => {
  const { org, anna, ben, channel } = await setting()
  const eve = await org.person()
  const clients = [
    await ben.register(),
    await ben.register({ client_capabilities: noCapabilities }),
    await ben.register({ client_capabilities: { ...noCapabilities, stream_typing_notifications: true } }),
    await eve.register(),
  ]
  const where = { type: 'channel', stream_id: channel.id, topic: '' }
  await anna.post('/typing', { ...where, op: 'stop' })
  const heard = await Promise.all(clients.map((client) => client.events()))
  expect(heard[0]).toMatchObject([
    { type: 'typing', op: 'stop', message_type: 'stream', stream_id: channel.id, topic: '' },
  ])
  expect(heard[1]).toEqual([])
  expect(heard[2]).toMatchObject([{ topic: 'general chat' }])
  expect(heard[3]).toEqual([])
})

test('a user who turned typing notifications off receives none', async () => {
  const { anna, ben, channel } = await setting()
  await ben.patch('/settings', { receives_typing_notifications: false })
  const his = await ben.register()
  await anna.post('/typing', { op: 'start', to: [ben.id] })
  await anna.post('/typing', { op: 'start', type: 'stream', stream_id: channel.id, topic: 't' })
  expect(await his.events()).toEqual([])
})

test('a user who hides their typing cannot send typing notifications', async () => {
  const { anna, ben, channel } = await setting()
  const sent = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  await anna.patch('/settings', {
    send_private_typing_notifications: false,
    send_stream_typing_notifications: false,
  })
  const direct = 'User has disabled typing notifications for direct messages'
  expect((await anna.post('/typing', { op: 'start', to: [ben.id] })).body.msg).toBe(direct)
  expect((await anna.post(`/messages/${sent.body.id}/typing`, { op: 'start' })).body.msg).toBe(direct)
  const where = { type: 'stream', stream_id: channel.id, topic: 't' }
  expect((await anna.post('/typing', { op: 'start', ...where })).body.msg).toBe(
    'User has disabled typing notifications for channel messages',
  )
})

test('a very large channel has no typing notifications', async () => {
  const { org, anna, ben, channel } = await setting()
  await org.crowd(100, channel)
  const his = await ben.register()
  await anna.post('/typing', { op: 'start', type: 'stream', stream_id: channel.id, topic: 't' })
  expect(await his.events()).toEqual([])
})

test.each([
  [{ to: [1] }, "Missing 'op' argument"],
  [{ op: 'zap', to: [1] }, 'Invalid op'],
  [{ op: 'start' }, "Missing 'to' argument"],
  [{ op: 'start', stream_id: null }, "Missing 'to' argument"],
  [{ op: 'start', to: [] }, "Empty 'to' list"],
  [{ op: 'start', to: [99_999_999] }, 'Invalid user ID 99999999'],
  [{ op: 'start', to: ['a@example.com'] }, 'to[0] is not an integer'],
  [{ op: 'start', type: 'private', to: [1] }, 'Invalid type'],
  [{ op: 'start', type: 'stream', topic: 'x' }, "Missing 'stream_id' argument"],
  [{ op: 'start', type: 'stream', stream_id: 99_999_999 }, 'Missing topic'],
  [{ op: 'start', type: 'stream', stream_id: 99_999_999, topic: 'x' }, 'Invalid channel ID'],
])('rejects %j', async (params, msg) => {
  const { anna } = await setting()
  expect(await anna.post('/typing', { ...params })).toMatchObject({ status: 400, body: { msg } })
})

test('users cannot send typing notifications where they may not write', async () => {
  const { org, anna, ben } = await setting()
  const closed = await org.channel({ subscribers: [ben], isPrivate: true })
  const quiet = await org.channel({
    subscribers: [anna, ben],
    permissions: { can_send_message_group: org.group('role:nobody') },
  })
  const his = await ben.register()
  const start = async (stream_id: number) =>
    (await anna.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 't' })).body.msg
  expect(await start(closed.id)).toBe('Invalid channel ID')
  expect(await start(quiet.id)).toBe('You do not have permission to post in this channel.')
  expect(await his.events()).toEqual([])
})

test('readers of a message are notified that it is being edited', async () => {
  const { org, anna, ben, channel } = await setting()
  const eve = await org.person()
  const clients = [await ben.register(), await eve.register()]
  const sent = await anna.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'x' })
  const direct = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  const edit = (who: Person, id: number, op = 'start') => who.post(`/messages/${id}/typing`, { op })
  await edit(anna, sent.body.id)
  await edit(anna, direct.body.id, 'stop')
  const told = (await clients[0]!.events()).filter(({ type }) => type === 'typing_edit_message')
  const common = { id: expect.any(Number), type: 'typing_edit_message', sender_id: anna.id }
  const user_ids = [anna.id, ben.id].sort((a, b) => a - b)
  expect(told).toEqual([
    {
      ...common,
      op: 'start',
      message_id: sent.body.id,
      recipient: { type: 'channel', channel_id: channel.id, topic: 't' },
    },
    { ...common, op: 'stop', message_id: direct.body.id, recipient: { type: 'direct', user_ids } },
  ])
  expect((await clients[1]!.events()).map(({ type }) => type)).not.toContain('typing_edit_message')
  expect((await edit(ben, sent.body.id)).body.msg).toBe("You don't have permission to edit this message")
  expect((await edit(ben, 99_999_999)).body.msg).toBe('Invalid message(s)')
  expect((await edit(anna, sent.body.id, 'zap')).body.msg).toBe('Invalid op')
})

test('rejects typing notifications for a message that can no longer be edited', async () => {
  const { anna, ben } = await setting()
  const sent = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  pass(700)
  expect((await anna.post(`/messages/${sent.body.id}/typing`, { op: 'start' })).body.msg).toBe(
    'The time limit for editing this message has passed',
  )
})
