import { expect, test } from 'vitest'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { topicLimits } from './limits.ts'

const server = sharedServer()

test('of very many users who follow a topic together, none is told again of what they have muted', async () => {
  const { org, anna, ben } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna, ben] })
  const crowd = await org.crowd(topicLimits.mutedTopicsTold, channel)
  const group = { name: 'all of us', description: '', members: [ben.id, ...crowd] }
  expect((await org.owner.post('/user_groups/create', group)).body).toMatchObject({ result: 'success' })
  await ben.post('/user_topics', { stream_id: channel.id, topic: 'muted', visibility_policy: 1 })
  const client = await ben.register()
  const message = { type: 'channel', to: channel.id, topic: 'new', content: '@*all of us*' }
  expect((await anna.post('/messages', message)).body).toMatchObject({ result: 'success' })
  expect(await client.news()).toMatchObject([{ type: 'user_topic', topic_name: 'new', visibility_policy: 3 }])
  await client.expectStateToMatch()
})

test('nor are those who follow a topic that moves, but those are who have muted it', async () => {
  const { org, admin, anna, ben } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [admin, anna, ben] })
  const crowd = await org.crowd(topicLimits.mutedTopicsTold, channel)
  await org.log.commit((change) => {
    const topic = { channel_id: channel.id, topic: 'old', updated_at: 1 }
    const followers = [...crowd, ben.id].map((user_id) => ({ ...topic, user_id, visibility_policy: 3 }))
    return change.insertAll('user_topic', [
      ...followers,
      { ...topic, user_id: anna.id, visibility_policy: 1 },
    ])
  })
  await ben.post('/user_topics', { stream_id: channel.id, topic: 'another', visibility_policy: 1 })
  const { body } = await admin.post('/messages', {
    type: 'channel',
    to: channel.id,
    topic: 'old',
    content: 'x',
  })
  const clients = [await ben.register(), await anna.register()]
  const news = () => Promise.all(clients.map((client) => client.news()))
  const kinds = async () => (await news()).map((events) => events.map(({ type }) => type))
  await admin.patch(`/messages/${body.id}`, { topic: 'new', propagate_mode: 'change_all' })
  const moved = ['update_message', 'user_topic', 'user_topic']
  expect((await kinds()).map((types) => types.sort())).toEqual([moved, ['muted_topics', ...moved]])
  await admin.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'new' })
  // The channel has no first message any more.
  const deleted = ['delete_message', 'stream', 'user_topic']
  expect((await kinds()).map((types) => types.sort())).toEqual([
    deleted,
    ['delete_message', 'muted_topics', 'stream', 'user_topic'],
  ])
  // Without any message, a registration names none as the newest.
  await admin.post('/messages', { type: 'channel', to: channel.id, topic: 'last', content: 'x' })
  for (const client of clients) await client.expectStateToMatch()
})
