import { expect, test } from 'vitest'
import { watchAuditLog } from '../../../../test/audit-entries.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('that a moderator moves messages of others is there', async () => {
  const org = await organization()
  const ben = await org.person()
  const [here, there] = [
    await org.channel({ subscribers: [ben, org.owner] }),
    await org.channel({ subscribers: [ben, org.owner] }),
  ]
  const send = async (person: typeof ben) => {
    const { body } = await person.post('/messages', {
      type: 'channel',
      to: here.id,
      topic: 'tea',
      content: 'a text',
    })
    return body.id as number
  }
  const [first, second, own] = [await send(ben), await send(ben), await send(org.owner)]
  const news = await watchAuditLog(org)
  await org.owner.patch(`/messages/${own}`, { topic: 'coffee' })
  await org.owner.patch(`/messages/${second}`, { topic: '✔ tea', propagate_mode: 'change_all' })
  await org.owner.patch(`/messages/${first}`, {
    stream_id: there.id,
    topic: 'cocoa',
    propagate_mode: 'change_all',
  })
  expect(await news()).toMatchObject([
    {
      kind: 'message.move',
      object: 'channel',
      object_id: here.id,
      actor_id: org.owner.id,
      operation: 'PATCH /messages/{message_id}',
      before: null,
      after: {
        // The third is the notice that the topic was resolved.
        message_ids: [first, second, expect.any(Number)],
        sender_ids: expect.arrayContaining([ben.id]),
        from_topic: '✔ tea',
        to_channel_id: there.id,
        to_topic: 'cocoa',
      },
    },
  ])
})

test('a move names no topic of a private channel', async () => {
  const org = await organization()
  const ben = await org.person()
  const subscribers = [ben, org.owner]
  const [secret, open] = [
    await org.channel({ subscribers, isPrivate: true }),
    await org.channel({ subscribers }),
  ]
  const send = { type: 'channel', to: secret.id, topic: 'takeover', content: 'a text' }
  const { body } = await ben.post('/messages', send)
  const news = await watchAuditLog(org)
  const move = (to: { id: number }, topic: string) =>
    org.owner.patch(`/messages/${body.id}`, {
      stream_id: to.id,
      topic,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    })
  await move(secret, 'merger')
  await move(open, 'tea')
  await move(secret, 'sale')
  const about = { message_ids: [body.id], sender_ids: [ben.id] }
  const entries = await news()
  expect(entries.map(({ object_id: id, after }) => ({ id, after }))).toEqual([
    { id: secret.id, after: { ...about, to_channel_id: secret.id } },
    { id: secret.id, after: { ...about, to_channel_id: open.id, to_topic: 'tea' } },
    { id: open.id, after: { ...about, to_channel_id: secret.id, from_topic: 'tea' } },
  ])
})

test('a move of messages of the same user leaves nothing, even with a notice of the server among them', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const send = { type: 'channel', to: channel.id, topic: 'tea', content: 'a text' }
  const { body } = await org.owner.post('/messages', send)
  const news = await watchAuditLog(org)
  await org.owner.patch(`/messages/${body.id}`, { topic: '✔ tea', propagate_mode: 'change_all' })
  await org.owner.patch(`/messages/${body.id}`, { topic: 'coffee', propagate_mode: 'change_all' })
  const { body: read } = await org.owner.get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [
      ['channel', channel.name],
      ['topic', 'coffee'],
    ],
  })
  expect(read.messages.length).toBeGreaterThan(1)
  expect(await news()).toEqual([])
})
