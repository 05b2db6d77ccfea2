import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { subscriptionLimits } from './limits.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions'

function add(person: Person, names: string[], params: Record<string, unknown> = {}) {
  return person.post(path, { subscriptions: names.map((name) => ({ name })), ...params })
}

test('other users cannot join private channels', async () => {
  const org = await organization()
  const ann = await org.person()
  const [secret, open] = [await org.channel({ isPrivate: true }), await org.channel()]
  const refused = { code: 'BAD_REQUEST', msg: `Unable to access channel (${secret.name}).` }
  expect((await add(ann, [open.name, secret.name])).body).toMatchObject(refused)
  expect((await add(org.owner, [secret.name])).body).toMatchObject(refused)
  const { body } = await add(ann, [secret.name, open.name], { authorization_errors_fatal: false })
  expect(body).toMatchObject({ subscribed: { [ann.id]: [open.name] }, unauthorized: [secret.name] })
  expect(org.state.subscription(ann.id, secret.id)).toBeUndefined()
})

test('subscribing other users takes a permission of the organization or of the channel', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  await org.owner.patch('/realm', { can_add_subscribers_group: { new: org.group('role:administrators') } })
  const plain = await org.channel()
  const permissions = { can_add_subscribers_group: 'role:members' } as const
  const lenient = await org.channel({ permissions })
  const closed = await org.channel({ permissions, isPrivate: true })
  const anns = await org.channel({ creator: ann })
  const tries = async (name: string) => (await add(ann, [name], { principals: [bob.id] })).body.result
  expect(await tries(plain.name)).toBe('error')
  expect(await tries(lenient.name)).toBe('success')
  expect(await tries(closed.name)).toBe('success')
  expect(await tries(anns.name)).toBe('success')
  expect(await tries('brand new')).toBe('success')
})

test('an archived channel accepts no new subscribers', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann] })
  await org.owner.delete(`/streams/${channel.id}`)
  expect((await add(ann, [channel.name])).body.already_subscribed).toEqual({ [ann.id]: [channel.name] })
  const refused = `Unable to access channel (${channel.name}).`
  expect((await add(bob, [channel.name])).body.msg).toBe(refused)
  for (const who of [ann, org.owner]) {
    expect((await add(who, [channel.name], { principals: [bob.id] })).body.msg).toBe(refused)
  }
})

test('users who may not create a channel are refused', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  expect((await add(guest, ['mine'])).body.msg).toBe('Not allowed for guest users')
  const administrators = { new: org.group('role:administrators') }
  await org.owner.patch('/realm', {
    can_create_private_channel_group: administrators,
    can_set_topics_policy_group: administrators,
  })
  const msg = async (params: object) => (await add(ann, ['mine'], { ...params })).body.msg
  expect(await msg({ invite_only: true })).toBe('Insufficient permission')
  expect(await msg({ topics_policy: 'disable_empty_topic' })).toBe('Insufficient permission')
  expect(await msg({ is_default_stream: true })).toBe('Insufficient permission')
  expect(await msg({ message_retention_days: 5 })).toBe('Must be an organization administrator')
  expect(await msg({ message_retention_days: '"realm_default"' })).toBe('')
})

test('invalid requests are refused, and nothing is created', async () => {
  const org = await organization()
  const [ann, gone] = [await org.person(), await org.person()]
  await org.owner.delete(`/users/${gone.id}`)
  const nobody = org.group('role:nobody')
  const cases: [object, string][] = [
    [{ subscriptions: [{ name: '  ' }] }, "Channel name can't be empty."],
    [{ subscriptions: [{ name: 'x'.repeat(61) }] }, 'Channel name too long (limit: 60 characters).'],
    [{ subscriptions: [{ name: 'ctl\x07bell' }] }, 'Invalid character in channel name, at position 4.'],
    [{ subscriptions: [{ nam: 'x' }] }, 'subscriptions[0]["name"] field is missing: Field required'],
    [
      { subscriptions: [{ name: 'x', description: 'y'.repeat(1025) }] },
      'subscriptions[0]["description"] is too long (limit: 1024 characters)',
    ],
    [{ principals: [99_999] }, 'No such user'],
    [{ principals: ['nobody@example.com'] }, 'No such user'],
    [{ principals: [gone.id] }, 'User is deactivated'],
    [{ is_web_public: true }, 'Web-public channels are not enabled.'],
    [{ is_default_stream: true, invite_only: true }, 'A default channel cannot be private.'],
    [{ message_retention_days: -1 }, "Bad value for 'message_retention_days': -1"],
    [{ folder_id: 5 }, 'Invalid channel folder ID'],
    [{ topics_policy: 'whatever' }, 'Invalid topics_policy'],
    [{ can_send_message_group: 0 }, 'Invalid user group'],
    [
      { can_subscribe_group: org.group('role:everyone') },
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    ],
    [
      { can_subscribe_group: { direct_members: [99_999], direct_subgroups: [nobody] } },
      'Invalid user ID: 99999',
    ],
    [
      { can_subscribe_group: { direct_members: [ann.id], direct_subgroups: [99_999] } },
      'Invalid user group ID: 99999',
    ],
  ]
  for (const [params, msg] of cases) {
    const answer = await org.owner.post(path, { subscriptions: [{ name: 'x' }], ...params })
    expect(answer.body).toMatchObject({ result: 'error', msg })
  }
  expect((await org.owner.post(path)).body.code).toBe('REQUEST_VARIABLE_MISSING')
  expect((await org.owner.get('/streams')).body.streams).toEqual([])
})

test('a request that would delay all other requests is refused entirely', async () => {
  const org = await organization()
  const names = Array.from({ length: subscriptionLimits.newChannelsPerRequest + 1 }, (_, i) => `channel ${i}`)
  expect((await add(org.owner, names)).body.msg).toBe('Too many new channels in one request (maximum 500).')
  expect((await org.owner.get('/streams')).body.streams).toEqual([])
  await add(org.owner, names.slice(0, 2))
  const { status, body } = await add(org.owner, names)
  expect({ status, subscribed: body.subscribed?.[org.owner.id]?.length }).toEqual({
    status: 200,
    subscribed: 499,
  })
})
