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
