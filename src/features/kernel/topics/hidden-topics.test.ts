import { expect, test } from 'vitest'
import { sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('a user who begins a topic, as far as they can read, follows it in a protected history too', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna], isPrivate: true })
  await sender(anna, channel)('before', 'x')
  await anna.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [ben.id],
  })
  await sender(anna, channel)('since', 'x')
  const send = (topic: string) =>
    ben.post('/messages', { type: 'channel', to: channel.id, topic, content: 'y' })
  // As in a topic that never was: otherwise the response would say which topics there were.
  for (const topic of ['never', 'before', 'BEFORE 2']) {
    expect((await send(topic)).body).toMatchObject({ automatic_new_visibility_policy: 3 })
  }
  expect((await send('since')).body).not.toHaveProperty('automatic_new_visibility_policy')
  expect((await send('before')).body).not.toHaveProperty('automatic_new_visibility_policy')
})
