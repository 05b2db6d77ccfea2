import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions'

function remove(person: Person, names: string[], params: Record<string, unknown> = {}) {
  return person.delete(path, { subscriptions: names, ...params })
}

test('a user who leaves is notified, and so are users who may see the channel', async () => {
  const org = await organization()
  const [ann, bob, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const [channel, other] = [await org.channel({ subscribers: [ann] }), await org.channel()]
  const clients = { ann: await ann.register(), bob: await bob.register(), guest: await guest.register() }
  const { body } = await remove(ann, [channel.name.toUpperCase(), other.name])
  expect(body).toEqual({ result: 'success', msg: '', removed: [channel.name], not_removed: [other.name] })
  expect(await clients.ann.events()).toMatchObject([
    { type: 'subscription', op: 'remove', subscriptions: [{ name: channel.name, stream_id: channel.id }] },
  ])
  expect(await clients.bob.events()).toMatchObject([
    { type: 'subscription', op: 'peer_remove', stream_ids: [channel.id], user_ids: [ann.id] },
  ])
  expect(await clients.guest.events()).toEqual([])
  for (const client of Object.values(clients)) await client.expectStateToMatch()
})

test('only users who may see a private channel are notified', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, bob], isPrivate: true })
  const clients = [await org.owner.register(), await bob.register(), await carol.register()] as const
  const own = await ann.register()
  await remove(ann, [channel.name])
  const gone = { op: 'peer_remove', user_ids: [ann.id] }
  expect(await clients[0].events()).toMatchObject([gone])
  expect(await clients[1].events()).toMatchObject([gone])
  expect(await clients[2].events()).toEqual([])
  // A user who has left a private channel can no longer see it.
  expect(await own.events()).toMatchObject([
    { op: 'remove' },
    { type: 'stream', op: 'delete', streams: [{ stream_id: channel.id }], stream_ids: [channel.id] },
  ])
  for (const client of [...clients, own]) await client.expectStateToMatch()
  expect((await ann.get(`/streams/${channel.id}`)).body.msg).toBe('Invalid channel ID')
})

test('administrators unsubscribe any user; guests lose the channel', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ subscribers: [ann, guest] })
  const client = await guest.register()
  const everybody = { principals: [ann.email, guest.email] }
  expect((await remove(org.owner, [channel.name], everybody)).body).toMatchObject({
    removed: [channel.name, channel.name],
    not_removed: [],
  })
  expect(await client.events()).toMatchObject([{ op: 'remove' }, { op: 'delete', stream_ids: [channel.id] }])
  await client.expectStateToMatch()
  expect((await remove(guest, [channel.name])).body).toMatchObject({
    removed: [],
    not_removed: [channel.name],
  })
})

test('unread messages count as read', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, bob] })
  const say = async () =>
    (await bob.post('/messages', { type: 'stream', to: channel.id, topic: 't', content: 'x' })).body.id
  const [read, unread] = [await say(), await say()]
  await ann.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  const client = await ann.register()
  await remove(ann, [channel.name])
  expect(await client.events()).toMatchObject([
    { op: 'remove' },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [unread], all: false },
  ])
  await client.expectStateToMatch()
  await ann.post(path, { subscriptions: [{ name: channel.name }] })
  expect((await ann.get(`/messages/${unread}`)).body.message.flags).toEqual(['read'])
})

test('messages that each user left unread between read ones count as read for that user only', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const say = async (channel: { id: number }) =>
    (await carol.post('/messages', { type: 'stream', to: channel.id, topic: 't', content: 'x' })).body.id
  const channel = await org.channel({ subscribers: [ann, carol] })
  const other = await org.channel({ subscribers: [ann, bob, carol] })
  const early = await say(channel)
  await carol.post(path, { subscriptions: [{ name: channel.name }], principals: [bob.id] })
  const ids: number[] = []
  for (const place of [channel, channel, other, channel, channel]) ids.push(await say(place))
  await ann.post('/messages/flags', { messages: [ids[0], ids[3]], op: 'add', flag: 'read' })
  const only = { event_types: ['update_message_flags'] }
  const clients = [await ann.register(only), await bob.register(only)] as const
  await remove(org.owner, [channel.name], { principals: [ann.id, bob.id] })
  const flags = { type: 'update_message_flags', op: 'add', flag: 'read' }
  expect(await clients[0].events()).toMatchObject([{ ...flags, messages: [early, ids[1], ids[4]] }])
  expect(await clients[1].events()).toMatchObject([{ ...flags, messages: [ids[0], ids[1], ids[3], ids[4]] }])
})

test('other users unsubscribe whom they may', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const plain = await org.channel({ subscribers: [bob] })
  const lenient = await org.channel({
    subscribers: [bob],
    permissions: { can_remove_subscribers_group: 'role:members' },
  })
  const closed = await org.channel({
    subscribers: [bob],
    isPrivate: true,
    permissions: { can_remove_subscribers_group: 'role:members' },
  })
  const anns = await org.channel({ subscribers: [bob], creator: ann })
  const tries = async (name: string) => (await remove(ann, [name], { principals: [bob.id] })).body.msg
  expect(await tries(plain.name)).toBe('Insufficient permission')
  expect(await tries(lenient.name)).toBe('')
  expect(await tries(closed.name)).toBe(`Channel(s) (${closed.name}) do not exist`)
  expect(await tries(anns.name)).toBe('')
  const bot = await org.bot(carol)
  const bots = await org.channel({ subscribers: [bot] })
  expect((await remove(carol, [bots.name], { principals: [bot.id] })).body.removed).toEqual([bots.name])
})

test('a user leaves the other channels if one of them is hidden from them, and that one is not left', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channels = [await org.channel({ subscribers: [ann, bob] }), await org.channel({ subscribers: [ann] })]
  const closed = await org.channel({ name: 'Closed', subscribers: [bob], isPrivate: true })
  const [first, last] = channels.map(({ name }) => name) as [string, string]
  const client = await ann.register()
  expect((await remove(ann, [first, 'closed', last, 'closed'])).body).toEqual({
    result: 'success',
    msg: '',
    removed: [first, last],
    not_removed: ['closed'],
  })
  await client.expectStateToMatch()
  expect(org.state.subscription(bob.id, closed.id)!.received.at(-1)![1]).toBeNull()
  // Other users can neither be removed from it nor be looked up.
  const { body } = await remove(ann, [closed.name], { principals: [bob.id] })
  expect(body.msg).toBe('Channel(s) (Closed) do not exist')
})

test('a user who leaves an archived channel is no longer among its subscribers', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, bob] })
  await org.owner.delete(`/streams/${channel.id}`)
  const [mine, his] = [await ann.register(), await bob.register()]
  expect((await remove(ann, [channel.name])).body.removed).toEqual([channel.name])
  expect(await his.events()).toMatchObject([
    { op: 'peer_remove', stream_ids: [channel.id], user_ids: [ann.id] },
  ])
  for (const client of [mine, his]) await client.expectStateToMatch()
})

test('unknown channels and users are refused', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const msg = async (params: Record<string, unknown>) => (await ann.delete(path, params)).body.msg
  const unknown = await ann.delete(path, { subscriptions: ['nowhere', 'else'] })
  expect(unknown).toMatchObject({
    status: 400,
    body: {
      code: 'STREAM_DOES_NOT_EXIST',
      msg: 'Channel(s) (nowhere, else) do not exist',
      stream: 'nowhere',
    },
  })
  expect(await msg({ subscriptions: ['no\0where'] })).toBe(
    'Invalid character in channel name, at position 3.',
  )
  expect(await msg({ subscriptions: [1] })).toBe('subscriptions[0] is not a string')
  expect(await msg({})).toBe("Missing 'subscriptions' argument")
  expect(await msg({ subscriptions: [channel.name], principals: [99_999] })).toBe('No such user')
})

test.each([2, 201])(
  '%i who are removed together hear of each other, if they still know of the channel',
  async (n) => {
    const org = await organization()
    const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
    const channel = await org.channel({ subscribers: [ann, guest, org.owner] })
    const many = await org.crowd(n - 1, channel)
    const clients = [await ann.register(), await guest.register()] as const
    await remove(org.owner, [channel.name], { principals: [ann.id, guest.id, ...many] })
    const events = await clients[0].events()
    if (n === 2) {
      expect(events).toMatchObject([
        { op: 'remove' },
        { op: 'peer_remove', stream_ids: [channel.id], user_ids: [guest.id, ...many] },
      ])
      await clients[0].expectStateToMatch()
    } else {
      expect(events).toMatchObject([
        { op: 'remove' },
        { op: 'delete' },
        { op: 'create', streams: [{ subscriber_count: 0 }] },
        { op: 'peer_add', user_ids: [org.owner.id] },
      ])
    }
    expect(await clients[1].events()).toMatchObject([{ op: 'remove' }, { op: 'delete' }])
    await clients[1].expectStateToMatch()
  },
)
