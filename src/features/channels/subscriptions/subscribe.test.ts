import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions'

function add(person: Person, names: string[], params: Record<string, unknown> = {}) {
  return person.post(path, { subscriptions: names.map((name) => ({ name })), ...params })
}

test('users who may see a new channel are notified, and its creator is subscribed', async () => {
  const org = await organization()
  const [ann, bob, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const clients = [await ann.register(), await bob.register(), await guest.register()] as const
  const { body } = await ann.post(path, {
    subscriptions: [{ name: ' Denmark ', description: 'A **small**\ncountry' }],
  })
  expect(body).toEqual({
    result: 'success',
    msg: '',
    subscribed: { [ann.id]: ['Denmark'] },
    already_subscribed: {},
    new_subscription_messages_sent: true,
  })
  const channel = {
    stream_id: org.state.channelByName('denmark')!.id,
    name: 'Denmark',
    description: 'A **small** country',
    rendered_description: '<p>A <strong>small</strong> country</p>',
    creator_id: ann.id,
    invite_only: false,
    history_public_to_subscribers: true,
    can_administer_channel_group: { direct_members: [ann.id], direct_subgroups: [] },
    can_send_message_group: org.group('role:everyone'),
    stream_post_policy: 1,
    topics_policy: 'inherit',
    folder_id: null,
    first_message_id: null,
  }
  const created = { type: 'stream', op: 'create', streams: [{ ...channel, subscriber_count: 0 }] }
  const own = {
    ...channel,
    subscriber_count: 1,
    subscribers: [ann.id],
    in_home_view: true,
    push_notifications: null,
  }
  expect(await clients[0].events()).toMatchObject([
    created,
    { type: 'subscription', op: 'add', subscriptions: [own] },
    { type: 'message', flags: ['read'] },
  ])
  const peers = { type: 'subscription', op: 'peer_add', stream_ids: [channel.stream_id], user_ids: [ann.id] }
  expect(await clients[1].events()).toMatchObject([created, peers])
  expect(await clients[2].events()).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('only its subscribers and administrators receive a private channel', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const guest = await org.person({ role: 'guest' })
  const clients = {
    owner: await org.owner.register(),
    bob: await bob.register(),
    guest: await guest.register(),
  }
  const { body } = await add(ann, ['secret'], { invite_only: true, principals: [ann.id, guest.id] })
  expect(body.subscribed).toEqual({ [ann.id]: ['secret'], [guest.id]: ['secret'] })
  const created = { type: 'stream', op: 'create' }
  expect(await clients.owner.events()).toMatchObject([
    created,
    { op: 'peer_add', user_ids: [ann.id, guest.id] },
  ])
  expect(await clients.guest.events()).toMatchObject([created, { op: 'add' }, { type: 'message', flags: [] }])
  expect(await clients.bob.events()).toEqual([])
  for (const client of Object.values(clients)) await client.expectStateToMatch()
  const { id } = org.state.channelByName('secret')!
  expect((await bob.get(`/streams/${id}`)).body.msg).toBe('Invalid channel ID')
})

test('users who may read a private channel through a permission receive it, too', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const client = await bob.register()
  await add(ann, ['open door'], {
    invite_only: true,
    can_subscribe_group: { direct_members: [bob.id], direct_subgroups: [] },
  })
  expect(await client.events()).toMatchObject([
    { op: 'create', streams: [{ can_subscribe_group: { direct_members: [bob.id], direct_subgroups: [] } }] },
    { op: 'peer_add', user_ids: [ann.id] },
  ])
  expect((await add(bob, ['open door'])).body.subscribed).toEqual({ [bob.id]: ['open door'] })
  await client.expectStateToMatch()
})

test('all properties of a new channel are stored', async () => {
  const org = await organization()
  const moderators = org.group('role:moderators')
  await add(org.owner, ['furnished'], {
    is_default_stream: true,
    message_retention_days: 30,
    topics_policy: 'empty_topic_only',
    can_add_subscribers_group: moderators,
    can_remove_subscribers_group: { direct_members: [], direct_subgroups: [moderators] },
    can_administer_channel_group: { direct_members: [], direct_subgroups: [] },
    can_send_message_group: moderators,
    can_subscribe_group: moderators,
    can_move_messages_out_of_channel_group: moderators,
    can_move_messages_within_channel_group: moderators,
    can_resolve_topics_group: moderators,
    can_delete_any_message_group: moderators,
    can_delete_own_message_group: { direct_members: [org.owner.id], direct_subgroups: [moderators] },
  })
  const { id } = org.state.channelByName('furnished')!
  expect((await org.owner.get(`/streams/${id}`)).body.stream).toMatchObject({
    message_retention_days: 30,
    topics_policy: 'empty_topic_only',
    can_add_subscribers_group: moderators,
    can_remove_subscribers_group: moderators,
    can_administer_channel_group: org.group('role:nobody'),
    can_send_message_group: moderators,
    stream_post_policy: 4,
    is_announcement_only: false,
    can_subscribe_group: moderators,
    can_move_messages_out_of_channel_group: moderators,
    can_move_messages_within_channel_group: moderators,
    can_resolve_topics_group: moderators,
    can_delete_any_message_group: moderators,
    can_delete_own_message_group: { direct_members: [org.owner.id], direct_subgroups: [moderators] },
  })
  const { streams } = (await org.owner.get('/streams', { include_default: true })).body
  expect(streams).toMatchObject([{ name: 'furnished', is_default: true }])
})

test('all users except guests receive a new default channel', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const [client, guests] = [await ann.register(), await guest.register()]
  await add(org.owner, ['lobby'], { is_default_stream: true })
  const { id } = org.state.channelByName('lobby')!
  const news = { type: 'default_streams', default_streams: [id] }
  expect(await client.events()).toMatchObject([{ op: 'create' }, news, { op: 'peer_add' }])
  expect(await guests.events()).toEqual([])
  await client.expectStateToMatch()
})

test('a guest who is added to a channel receives it first, and its subscribers receive the guest', async () => {
  const org = await organization()
  const [ann, guest, other] = [
    await org.person(),
    await org.person({ role: 'guest' }),
    await org.person({ role: 'guest' }),
  ]
  const channel = await org.channel({ subscribers: [org.owner, other] })
  const clients = { ann: await ann.register(), guest: await guest.register(), other: await other.register() }
  await add(ann, [channel.name.toUpperCase()], { principals: [guest.email] })
  const subscribers = [org.owner.id, guest.id, other.id]
  expect(await clients.guest.events()).toMatchObject([
    { type: 'stream', op: 'create', streams: [{ stream_id: channel.id }] },
    { op: 'add', subscriptions: [{ subscribers, subscriber_count: 3 }] },
    { type: 'message', message: { type: 'private' } },
  ])
  const peers = { op: 'peer_add', stream_ids: [channel.id], user_ids: [guest.id] }
  expect(await clients.ann.events()).toMatchObject([peers])
  expect(await clients.other.events()).toMatchObject([peers])
  for (const client of Object.values(clients)) await client.expectStateToMatch()
})

test('subscribers receive one event for a channel, or for all channels of one user', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const [first, second] = [await org.channel(), await org.channel()]
  const client = await carol.register()
  await add(ann, [first.name, second.name], { principals: [ann.id, bob.id] })
  await add(org.owner, [first.name, second.name])
  expect(await client.events()).toMatchObject([
    { op: 'peer_add', stream_ids: [first.id], user_ids: [ann.id, bob.id] },
    { op: 'peer_add', stream_ids: [second.id], user_ids: [ann.id, bob.id] },
    { op: 'peer_add', stream_ids: [first.id, second.id], user_ids: [org.owner.id] },
  ])
  await client.expectStateToMatch()
})

test('each user gets their own colors, different ones as long as there are any', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  await org.channel({ subscribers: [ann] }) // in #76ce90
  const [annsClient, bobsClient] = [await ann.register(), await bob.register()]
  const names = Array.from({ length: 20 }, (_, i) => `room ${i}`)
  await add(ann, names, { principals: [ann.id, bob.id] })
  for (const client of [annsClient, bobsClient]) {
    const event = (await client.events()).find(({ op }) => op === 'add')!
    const colors = event.subscriptions.map(({ color }: { color: string }) => color)
    expect(new Set(colors).size).toBe(20)
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  }
  const request = { subscriptions: [{ name: 'mine', color: '#ABCDEF' }] }
  await ann.post(path, request)
  expect(await annsClient.events()).toMatchObject([
    {},
    { op: 'add', subscriptions: [{ color: '#abcdef' }] },
    { type: 'message' },
  ])
  for (const client of [annsClient, bobsClient]) await client.expectStateToMatch()
})

test('subscribing again changes nothing and notifies no user', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const client = await ann.register()
  const { body } = await add(ann, [channel.name, channel.name])
  expect(body).toMatchObject({ subscribed: {}, already_subscribed: { [ann.id]: [channel.name] } })
  expect(await client.events()).toEqual([])
})

test('a user who returns gets the previous subscription, and has not received the messages in between', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({
    subscribers: [org.owner, ann],
    isPrivate: true,
    permissions: { can_subscribe_group: 'role:members' },
  })
  const say = (content: string) =>
    org.owner.post('/messages', { type: 'stream', to: channel.id, topic: 't', content })
  const settled = async (work: Promise<{ body: { result: string } }>) =>
    expect((await work).body).toMatchObject({ result: 'success' })
  const client = await ann.register()
  await settled(say('before'))
  await settled(ann.delete(path, { subscriptions: [channel.name] }))
  await settled(say('meanwhile'))
  await settled(add(ann, [channel.name]))
  await settled(say('after'))
  const events = await client.events()
  expect(events.filter(({ type }) => type === 'message').map(({ message }) => message.content)).toEqual([
    '<p>before</p>',
    '<p>after</p>',
  ])
  await client.expectStateToMatch()
  const { messages } = (
    await ann.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow: [] })
  ).body
  expect(messages.map((message: { content: string }) => message.content)).toEqual([
    '<p>before</p>',
    '<p>after</p>',
  ])
  expect(org.state.subscription(ann.id, channel.id)!.color).toBe('#76ce90')
})

test('of two users who create the same channel concurrently, one creates it', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  await Promise.all([add(ann, ['race']), add(bob, ['Race'])])
  const { id, creator_id } = org.state.channelByName('race')!
  expect([ann.id, bob.id]).toContain(creator_id)
  expect((await ann.get(`/streams/${id}/members`)).body.subscribers).toEqual([ann.id, bob.id])
})
