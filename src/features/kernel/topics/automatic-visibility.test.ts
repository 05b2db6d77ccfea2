import { expect, test } from 'vitest'
import { forbidding } from '../../../../test/forbid.ts'
import { sender } from '../../../../test/messages.ts'
import { testServer } from '../../../../test/test-server.ts'

const w = testServer()
const { organization } = w

/** Two users in a channel, and the second user's settings for its topics. */
async function setting() {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person({ name: 'Anna' }), org.person({ name: 'Ben' })])
  const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
  const set = (topic: string, visibility_policy: number) =>
    ben.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })
  const policyOf = async (topic: string) =>
    (
      await ben.post('/register', { event_types: ['message'], fetch_event_types: ['user_topic'] })
    ).body.user_topics.find((one: { topic_name: string }) => one.topic_name === topic)?.visibility_policy
  return { org, anna, ben, channel, set, policyOf }
}

test.each([
  ['muted', 1],
  ['unmuted', 2],
])('who begins a topic that they have %s keeps it so', async (_, policy) => {
  const { ben, channel, set, policyOf } = await setting()
  await set('plans', policy)
  const client = await ben.register()
  const params = { type: 'channel', to: channel.id, topic: 'plans', content: 'x' }
  const { body } = await ben.post('/messages', params)
  expect(body).not.toHaveProperty('automatic_new_visibility_policy')
  expect(await policyOf('plans')).toBe(policy)
  expect((await client.events()).map(({ type }) => type)).toEqual(['message'])
})

test('a user who follows topics on sending also follows muted ones', async () => {
  const { ben, channel, set, policyOf } = await setting()
  await ben.patch('/settings', { automatically_follow_topics_policy: 2 })
  await set('plans', 1)
  await sender(ben, channel)('plans', 'x')
  expect(await policyOf('plans')).toBe(3)
})

test('users mentioned through a group follow the topic, unless they have muted it or turned that off', async () => {
  const { org, anna, ben, channel, set, policyOf } = await setting()
  const [carol, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
  for (const person of [carol, guest]) {
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: [person.id],
    })
  }
  const outside = await org.person()
  const members = [ben.id, carol.id, outside.id]
  await anna.post('/user_groups/create', { name: 'cooks', description: '', members })
  await carol.patch('/settings', { automatically_follow_topics_where_mentioned: false })
  const clients = [ben, carol, guest, outside].map((person) =>
    person.register({ event_types: ['user_topic'] }),
  )
  const [bens, carols, guests, outsiders] = await Promise.all(clients)
  await set('muted', 1)
  await set('unmuted', 2)
  const send = sender(anna, channel)
  for (const topic of ['muted', 'unmuted', 'lunch']) await send(topic, '@*cooks* hello')
  expect([await policyOf('muted'), await policyOf('unmuted'), await policyOf('lunch')]).toEqual([1, 3, 3])
  expect((await bens!.events()).slice(2)).toMatchObject([
    { type: 'user_topic', topic_name: 'unmuted', visibility_policy: 3 },
    { type: 'user_topic', topic_name: 'lunch', visibility_policy: 3 },
  ])
  for (const client of [carols!, guests!, outsiders!]) expect(await client.events()).toEqual([])
  await send('quiet', '@_*cooks* hello')
  expect(await policyOf('quiet')).toBeUndefined()
})

test('many users who follow through one mention receive one event each, with their muted topics', async () => {
  const { org, anna, ben, channel, set } = await setting()
  await anna.post('/user_groups/create', { name: 'cooks', description: '', members: [ben.id, org.owner.id] })
  await set('noise', 1)
  const clients = [await ben.register(), await org.owner.register()]
  const position = org.state.position
  await sender(anna, channel)('lunch', '@*cooks* hello')
  // Two lists of muted topics, one policy for both users, and the message.
  expect(org.state.position).toBe(position + 4 + 2) // the sender begins the topic, too
  for (const client of clients) await client.expectStateToMatch()
  expect(clients[0]!.state.user_topics).toHaveLength(1)
})

const acts = [
  ['react', (id: number) => [`/messages/${id}/reactions`, { emoji_name: 'tada' }]],
  [
    'vote',
    (id: number) => [
      '/submessage',
      { message_id: id, msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' },
    ],
  ],
] as const

test.each(acts)(
  'who follows topics that they take part in does so as they %s, or neither',
  async (_, act) => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [anna, ben] })
    await ben.patch('/settings', { automatically_follow_topics_policy: 1 })
    const id = await sender(anna, channel)('which', '/poll Which?\nthis\nthat')
    const [path, params] = act(id) as [string, object]
    const client = await ben.register()
    const before = org.log.state.position
    await forbidding(w.databaseUrl, { table: 'user_topic', unless: "topic <> 'which'" }, async () => {
      expect((await ben.post(path, { ...params })).status).toBe(500)
    })
    expect(org.log.state.position).toBe(before)
    expect((await ben.post(path, { ...params })).status).toBe(200)
    const types = (await client.events()).map(({ type }) => type)
    expect(types.sort()).toEqual(
      [path === '/submessage' ? 'submessage' : 'reaction', 'muted_topics', 'user_topic'].sort(),
    )
    await client.expectStateToMatch()
  },
)

test('a reaction follows a topic only in channels to which the user is subscribed', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna] })
  await ben.patch('/settings', { automatically_follow_topics_policy: 1 })
  const id = await sender(anna, channel)('lunch', 'x')
  const client = await ben.register()
  await ben.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  expect((await client.events()).map(({ type }) => type)).not.toContain('user_topic')
  await client.expectStateToMatch()
})
