import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions'

test('one request subscribes and unsubscribes', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const [one, two] = [
    await org.channel({ name: 'one' }),
    await org.channel({ name: 'two', subscribers: [ann] }),
  ]
  const clients = [await ann.register(), await bob.register()] as const
  const { body } = await ann.patch(path, { add: [{ name: 'one', color: '#123456' }], delete: ['two', 'one'] })
  expect(body).toEqual({
    result: 'success',
    msg: '',
    subscribed: { [ann.id]: ['one'] },
    already_subscribed: {},
    new_subscription_messages_sent: true,
    removed: ['two'],
    not_removed: ['one'],
  })
  expect(await clients[0].events()).toMatchObject([
    { op: 'add', subscriptions: [{ stream_id: one.id, color: '#123456' }] },
    { op: 'remove', subscriptions: [{ stream_id: two.id, name: 'two' }] },
  ])
  expect(await clients[1].events()).toMatchObject([
    { op: 'peer_add', stream_ids: [one.id], user_ids: [ann.id] },
    { op: 'peer_remove', stream_ids: [two.id], user_ids: [ann.id] },
  ])
  for (const client of clients) await client.expectStateToMatch()
})

test('the response does not mention messages to new subscribers if none are requested', async () => {
  const org = await organization()
  const channel = await org.channel()
  const add = [{ name: channel.name }]
  const { body } = await org.owner.patch(path, { add, send_new_subscription_messages: false })
  expect(body).toMatchObject({ subscribed: { [org.owner.id]: [channel.name] } })
  expect(body).not.toHaveProperty('new_subscription_messages_sent')
  expect(body).not.toHaveProperty('ignored_parameters_unsupported')
})

test('a request is done completely or not at all, and must not be empty', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ subscribers: [guest] })
  const nothing = 'Nothing to do. Specify at least one of "add" or "delete".'
  expect((await ann.patch(path)).body.msg).toBe(nothing)
  expect((await ann.patch(path, { add: [], delete: [] })).body.msg).toBe(nothing)
  const half = await ann.patch(path, { add: [{ name: 'new' }], delete: ['nowhere'] })
  expect(half.body.msg).toBe('Channel(s) (nowhere) do not exist')
  expect(org.state.channelByName('new')).toBeUndefined()
  expect((await guest.patch(path, { add: [{ name: 'new' }] })).body.msg).toBe('Not allowed for guest users')
  expect((await guest.patch(path, { delete: [channel.name] })).body.removed).toEqual([channel.name])
})

test('users who may see the channel learn whether a user is subscribed', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const secret = await org.channel({ isPrivate: true, subscribers: [ann] })
  const ask = async (userId: number, person = org.owner) =>
    (await person.get(`/users/${userId}/subscriptions/${secret.id}`)).body
  expect(await ask(ann.id)).toEqual({ result: 'success', msg: '', is_subscribed: true })
  expect((await ask(bob.id)).is_subscribed).toBe(false)
  expect((await ask(ann.id, bob)).msg).toBe('Invalid channel ID')
  expect((await ask(99_999)).msg).toBe('No such user')
})
