import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'
import { topicLimits } from '../../kernel/topics/limits.ts'

const { organization } = sharedServer()

test('a topic is muted, followed and reset, and the user’s other clients are notified', async () => {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [org.owner, anna] })
  const [mine, hers] = [await org.owner.register(), await anna.register()]
  const set = (visibility_policy: number, topic = 'lunch') =>
    org.owner.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })

  await set(1)
  await set(1)
  expect(await mine.events()).toMatchObject([
    { type: 'muted_topics', muted_topics: [[channel.name, 'lunch', expect.any(Number)]] },
    { type: 'user_topic', stream_id: channel.id, topic_name: 'lunch', visibility_policy: 1 },
  ])
  await mine.expectStateToMatch()
  await set(3, 'LUNCH')
  await mine.expectStateToMatch()
  await set(0)
  expect((await mine.events()).at(-1)).toMatchObject({ visibility_policy: 0 })
  await mine.expectStateToMatch()
  expect(await hers.events()).toEqual([])
})

test('the deprecated operation mutes too, and clients that request user_topic receive no duplicate', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const modern = await org.owner.register({ event_types: ['user_topic', 'muted_topics'] })
  const mute = (params: object) =>
    org.owner.patch('/users/me/subscriptions/muted_topics', { topic: 't', op: 'add', ...params })
  expect((await mute({ stream: channel.name })).body).toEqual({ result: 'success', msg: '' })
  expect((await modern.events()).map((event) => event.type)).toEqual(['user_topic'])
  expect((await mute({})).body.msg).toBe("Missing 'stream_id' argument")
  expect((await mute({ stream: channel.name, stream_id: channel.id })).body.msg).toBe(
    'Unsupported parameter combination: stream_id, stream',
  )
  expect((await mute({ stream: 'nowhere' })).body.msg).toBe("Invalid channel name 'nowhere'")
})

test('the number of muted topics is limited, and topics that are muted already stay muted', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const rows = Array.from({ length: topicLimits.mutedTopicsPerUser - 1 }, (_, i) => {
    const topic = `topic ${i}`
    return { user_id: org.owner.id, channel_id: channel.id, topic, visibility_policy: 1, updated_at: 1 }
  })
  await org.log.commit((change) => change.insertAll('user_topic', rows))
  const set = async (topic: string, visibility_policy: number) =>
    (await org.owner.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })).body.msg
  expect(await set('last', 1)).toBe('')
  expect(await set('one more', 1)).toBe('You have muted too many topics.')
  expect(await set('LAST', 1)).toBe('')
  expect(await set('one more', 3)).toBe('')
  expect(await set('last', 0)).toBe('')
  expect(await set('one more', 1)).toBe('')
})

test('topics of channels that the user cannot see are refused', async () => {
  const org = await organization()
  const anna = await org.person()
  const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
  const answer = await anna.post('/user_topics', { stream_id: closed.id, topic: 't', visibility_policy: 1 })
  expect(answer).toMatchObject({ status: 400, body: { msg: 'Invalid channel ID' } })
})

test.each([
  ['archived', 'POST'],
  ['archived', 'PATCH'],
  ['left', 'POST'],
  ['left', 'PATCH'],
])(
  'the policy of a topic whose channel was %s since can be removed by %s, but not set',
  async (what, method) => {
    const org = await organization()
    const anna = await org.person()
    const channel = await org.channel({ subscribers: [org.owner, anna], isPrivate: true })
    const unrelated = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const setPolicy = (id: number, policy: 0 | 1) =>
      method === 'POST'
        ? anna.post('/user_topics', { stream_id: id, topic: 'lunch', visibility_policy: policy })
        : anna.patch('/users/me/subscriptions/muted_topics', {
            stream_id: id,
            topic: 'lunch',
            op: policy === 1 ? 'add' : 'remove',
          })
    await setPolicy(channel.id, 1)
    if (what === 'archived') await org.owner.delete(`/streams/${channel.id}`)
    else await anna.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    const client = await anna.register()
    expect((await setPolicy(channel.id, 1)).body.msg).toBe('Invalid channel ID')
    expect((await setPolicy(unrelated.id, 0)).body.msg).toBe('Invalid channel ID')
    expect((await setPolicy(channel.id, 0)).body).toMatchObject({ result: 'success' })
    expect((await client.events()).at(-1)).toMatchObject({
      type: 'user_topic',
      stream_id: channel.id,
      topic_name: 'lunch',
      visibility_policy: 0,
    })
    await client.expectStateToMatch()
  },
)

test('a channel that the user may no longer see is not among the muted topics by its name', async () => {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel({ name: 'plain', subscribers: [org.owner, anna], isPrivate: true })
  await anna.post('/user_topics', { stream_id: channel.id, topic: 'lunch', visibility_policy: 1 })
  const client = await anna.register()
  await anna.delete('/users/me/subscriptions', { subscriptions: ['plain'] })
  await client.expectStateToMatch()
  await org.owner.patch(`/streams/${channel.id}`, { new_name: 'zanzibar' })
  await client.expectStateToMatch()
  expect(JSON.stringify(client.state)).not.toContain('zanzibar')
  await anna.post('/user_topics', { stream_id: channel.id, topic: 'other', visibility_policy: 0 })
  expect((await anna.post('/register')).body.muted_topics).toEqual([])
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'zanzibar' }],
    principals: [anna.id],
  })
  await client.expectStateToMatch()
  await org.owner.patch(`/streams/${channel.id}`, { new_name: 'kitchen' })
  await client.expectStateToMatch()
})

test('a user who begins a topic follows it, and other users who write there do not', async () => {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [org.owner, anna] })
  const client = await anna.register()
  const send = async (who: typeof anna, topic: string) =>
    (await who.post('/messages', { type: 'channel', to: channel.id, topic, content: 'x' })).body
  expect(await send(anna, 'mine')).toMatchObject({ automatic_new_visibility_policy: 3 })
  expect(await send(anna, 'MINE')).not.toHaveProperty('automatic_new_visibility_policy')
  expect(await send(org.owner, 'mine')).not.toHaveProperty('automatic_new_visibility_policy')
  expect((await client.events()).map((event) => event.type)).toEqual([
    'muted_topics',
    'user_topic',
    'message',
    'message',
    'message',
  ])
  await client.expectStateToMatch()
})

test('a topic that became empty begins again with the next user who writes there', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
  const send = async (who: typeof anna, topic: string) =>
    (await who.post('/messages', { type: 'channel', to: channel.id, topic, content: 'x' })).body
  const first = await send(anna, 'short')
  await send(anna, 'short').then(({ id }) => org.owner.delete(`/messages/${id}`))
  expect(await send(ben, 'short')).not.toHaveProperty('automatic_new_visibility_policy')
  await org.owner.patch(`/messages/${first.id}`, { topic: 'moved', propagate_mode: 'change_all' })
  expect(await send(ben, 'short')).toMatchObject({ automatic_new_visibility_policy: 3 })
  const { id } = await send(anna, 'gone')
  await send(anna, 'gone').then((second) => org.owner.delete(`/messages/${second.id}`))
  await org.owner.delete(`/messages/${id}`)
  expect(await send(ben, 'gone')).toMatchObject({ automatic_new_visibility_policy: 3 })
})
