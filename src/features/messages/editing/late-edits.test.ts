import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { contentsOf, sender } from '../../../../test/messages.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

test('a text that was written for another channel is refused once its message has moved', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const from = await org.channel({ subscribers: [anna, ben, admin] })
  const to = await org.channel({ subscribers: [anna, admin], isPrivate: true })
  const { body } = await anna.post('/messages', { type: 'channel', to: from.id, topic: 'a', content: 'text' })
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch(`/messages/${body.id}`, { stream_id: to.id }))
  const edited = await held.add(() => anna.patch(`/messages/${body.id}`, { content: 'for @**Ben**' }))
  await held.release()
  const { body: answer } = await edited.answer
  expect(answer).toMatchObject({ result: 'error', msg: 'The message has been moved meanwhile.' })
})

test('a message is deleted by no administrator who cannot read it since it has moved', async () => {
  const { org, anna, admin } = await cast(await server.organization())
  const from = await org.channel({ subscribers: [anna, admin] })
  const to = await org.channel({ subscribers: [anna, admin], isPrivate: true })
  const id = await sender(anna, from)('a', 'text')
  const held = await holdWrites(org.log)
  const move = { stream_id: to.id, send_notification_to_new_thread: false }
  await held.add(() => admin.patch(`/messages/${id}`, move))
  const deleted = await held.add(() => org.owner.delete(`/messages/${id}`))
  await held.release()
  expect((await deleted.answer).body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' })
  expect(await contentsOf(anna, to)).toEqual([['a', 'text']])
})

test.each([{ content: 'changed' }, { topic: 'b' }])(
  'a message is changed (%j) by no author who has lost the channel since',
  async (change) => {
    const { org, anna, admin } = await cast(await server.organization())
    const channel = await org.channel({ subscribers: [anna, admin], isPrivate: true })
    const id = await sender(anna, channel)('a', 'text')
    const held = await holdWrites(org.log)
    const leaving = { subscriptions: [channel.name], principals: [anna.id] }
    await held.add(() => admin.delete('/users/me/subscriptions', leaving))
    const edited = await held.add(() => anna.patch(`/messages/${id}`, change))
    await held.release()
    expect((await edited.answer).body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' })
    expect(await contentsOf(admin, channel)).toEqual([['a', 'text']])
  },
)

test('a topic that moves to where a message has come since joins that topic', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna, ben, admin] })
  const id = await sender(anna, channel)('a', 'text')
  const choose = (topic: string, visibility_policy: number) =>
    ben.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })
  await choose('a', 1)
  await choose('b', 3)
  const client = await ben.register()
  const held = await holdWrites(org.log)
  await held.add(() => sender(anna, channel)('b', 'first'))
  await held.add(() => admin.patch(`/messages/${id}`, { topic: 'b', propagate_mode: 'change_all' }))
  await held.release()
  // Of followed and muted, followed wins, as where the message was there before.
  const { user_topics } = (await ben.register()).state
  expect(user_topics).toMatchObject([{ topic_name: 'b', visibility_policy: 3 }])
  await client.expectStateToMatch()
  const notices = (await contentsOf(admin, channel)).map(([, content]) => content)
  expect(notices.at(-1)).toMatch(/^\[A message\].* was moved here from/)
})
