import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function create(person: Person, name: string, members: Person[] = [], params: object = {}) {
  const fields = { name, description: '', members: members.map(({ id }) => id), ...params }
  return (await person.post('/user_groups/create', fields)).body
}

test('a group is created with its members, permissions and subgroups, and all users are notified', async () => {
  const org = await organization()
  const [ann, bob, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const inner = (await create(ann, 'inner', [bob])).group_id
  const client = await guest.register()
  const moderators = org.group('role:moderators')
  const params = {
    description: 'all of us',
    subgroups: [inner],
    can_join_group: { direct_members: [], direct_subgroups: [moderators] },
    can_manage_group: { direct_members: [bob.id], direct_subgroups: [inner] },
  }
  const { group_id } = await create(ann, ' Outer ', [ann, ann, guest], params)
  const anns = { direct_members: [ann.id], direct_subgroups: [] }
  const group = {
    id: group_id,
    name: 'Outer',
    description: 'all of us',
    creator_id: ann.id,
    members: [ann.id, guest.id],
    direct_subgroup_ids: [],
    is_system_group: false,
    deactivated: false,
    can_add_members_group: anns,
    can_join_group: moderators,
    can_leave_group: org.group('role:everyone'),
    can_manage_group: { direct_members: [bob.id], direct_subgroups: [inner] },
    can_mention_group: org.group('role:everyone'),
    can_remove_members_group: org.group('role:nobody'),
  }
  expect(await client.events()).toMatchObject([
    { type: 'user_group', op: 'add', group },
    { type: 'user_group', op: 'add_subgroups', group_id, direct_subgroup_ids: [inner] },
  ])
  await client.expectStateToMatch()
})

test('names are validated', async () => {
  const org = await organization()
  const msg = async (name: string) => (await create(org.owner, name)).msg
  expect(await msg('devs')).toBe('')
  expect(await msg('Devs')).toBe("User group 'Devs' already exists.")
  expect(await msg(' ')).toBe("User group name can't be empty!")
  expect(await msg('x'.repeat(101))).toBe('User group name cannot exceed 100 characters.')
  for (const prefix of ['@', 'role:', 'user:', 'stream:', 'channel:']) {
    expect(await msg(`${prefix}x`)).toBe(`User group name cannot start with '${prefix}'.`)
  }
})

test('a group with invalid parts is refused', async () => {
  const org = await organization()
  const [ann, guest, gone] = [await org.person(), await org.person({ role: 'guest' }), await org.person()]
  await org.owner.delete(`/users/${gone.id}`)
  const msg = async (params: object, person = ann) => (await create(person, 'x', [], params)).msg
  expect(await msg({}, guest)).toBe('Not allowed for guest users')
  expect(await msg({ members: [99_999] })).toBe('Invalid user ID: 99999')
  expect(await msg({ members: [gone.id] })).toBe(`Invalid user ID: ${gone.id}`)
  expect(await msg({ subgroups: [99_999] })).toBe('Invalid user group ID: 99999')
  expect(await msg({ can_mention_group: 99_999 })).toBe('Invalid user group')
  expect(await msg({ can_manage_group: org.group('role:everyone') })).toBe(
    "'can_manage_group' setting cannot be set to 'role:everyone' group.",
  )
  await org.owner.patch('/realm', { can_create_groups: { new: org.group('role:administrators') } })
  expect(await msg({})).toBe('Insufficient permission')
  expect(org.state.groupByName('x')).toBeUndefined()
})

test('a group’s managers change it, and each difference is emitted', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const { group_id: id } = await create(ann, 'devs')
  await create(ann, 'taken')
  const client = await bob.register()
  const change = async (params: object, person = ann) =>
    (await person.patch(`/user_groups/${id}`, { ...params })).body
  const members = org.group('role:members')
  await change({ name: 'makers', description: 'new', can_mention_group: { new: members } })
  expect(await client.events()).toMatchObject([
    { type: 'user_group', op: 'update', group_id: id, data: { name: 'makers' } },
    { data: { description: 'new' } },
    { data: { can_mention_group: members } },
  ])
  await change({ name: 'makers', description: 'new', can_mention_group: { new: members, old: members } })
  expect(await client.events()).toEqual([])
  expect((await change({})).msg).toBe('No new data supplied')
  expect((await change({ name: 'taken' })).msg).toBe("User group 'taken' already exists.")
  expect((await change({ can_join_group: { new: members, old: members } })).code).toBe('EXPECTATION_MISMATCH')
  expect((await change({ description: 'mine' }, bob)).msg).toBe('Insufficient permission')
  expect((await change({ description: 'ours' }, org.owner)).msg).toBe('')
  const system = await org.owner.patch(`/user_groups/${members}`, { name: 'x' })
  expect(system.body.msg).toBe('Insufficient permission')
  expect((await ann.patch('/user_groups/99999', { name: 'x' })).body.msg).toBe('Invalid user group')
  await client.expectStateToMatch()
})

test('an unused group is deactivated and reactivated', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const { group_id: id } = await create(ann, 'devs', [bob])
  const clients = [
    await bob.register(),
    await bob.register({ client_capabilities: { notification_settings_null: true } }),
  ]
  const [client, old] = clients as [(typeof clients)[0], (typeof clients)[0]]
  const deactivate = async (person: Person) => (await person.post(`/user_groups/${id}/deactivate`)).body.msg
  expect(await deactivate(bob)).toBe('Insufficient permission')
  expect(await deactivate(ann)).toBe('')
  expect(await deactivate(ann)).toBe('User group is deactivated.')
  expect(await client.events()).toMatchObject([{ op: 'update', group_id: id, data: { deactivated: true } }])
  const [removed] = await old.events()
  expect(removed).toEqual({ type: 'user_group', op: 'remove', group_id: id, id: expect.any(Number) })
  // Clients that do not know of deactivated groups receive no event.
  await ann.patch(`/user_groups/${id}`, { name: 'sleepers' })
  await ann.post(`/user_groups/${id}/members`, { add: [ann.id] })
  expect(await client.events()).toMatchObject([{ data: { name: 'sleepers' } }, { op: 'add_members' }])
  expect(await old.events()).toEqual([])
  for (const one of clients) await one.expectStateToMatch()
  await ann.patch(`/user_groups/${id}`, { deactivated: false })
  expect(await client.events()).toMatchObject([{ op: 'update', data: { deactivated: false } }])
  expect(await old.events()).toMatchObject([
    { op: 'add', group: { id, name: 'sleepers', deactivated: false } },
  ])
  for (const one of clients) await one.expectStateToMatch()
})

test('a deactivated user stays out of groups, whatever role and groups they get', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const { group_id: id } = await create(ann, 'devs')
  const client = await ann.register()
  await org.owner.delete(`/users/${bob.id}`)
  await org.owner.patch(`/users/${bob.id}`, { role: 300 })
  await org.owner.post(`/user_groups/${id}/members`, { add: [bob.id] })
  await client.expectStateToMatch()
  await org.owner.post(`/users/${bob.id}/reactivate`)
  await client.expectStateToMatch()
})

test('a group that is in use cannot be deactivated', async () => {
  const org = await organization()
  const ann = await org.person()
  const { group_id: id } = await create(ann, 'devs')
  const supergroup = (await create(ann, 'all', [], { subgroups: [id] })).group_id
  const keeper = (await create(ann, 'keeper', [], { can_join_group: id })).group_id
  const channel = await org.channel({ permissions: { can_send_message_group: id } })
  await org.owner.patch('/realm', {
    can_create_bots_group: { new: { direct_members: [ann.id], direct_subgroups: [id] } },
  })
  const { body } = await ann.post(`/user_groups/${id}/deactivate`)
  expect(body).toMatchObject({
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    msg: 'Cannot deactivate user group in use.',
    objections: [
      { type: 'subgroup', supergroup_ids: [supergroup] },
      { type: 'realm', settings: ['can_create_bots_group'] },
      { type: 'channel', channel_id: channel.id, settings: ['can_send_message_group'] },
      { type: 'user_group', group_id: keeper, settings: ['can_join_group'] },
    ],
  })
  const system = await org.owner.post(`/user_groups/${org.group('role:members')}/deactivate`)
  expect(system.body.msg).toBe('Insufficient permission')
})

test('the refusal to deactivate a group does not show channels that the caller may not see', async () => {
  const org = await organization()
  const ann = await org.person()
  const { group_id: id } = await create(ann, 'devs')
  const permissions = { can_send_message_group: id }
  const open = await org.channel({ permissions })
  const secret = await org.channel({ isPrivate: true, permissions })
  await org.channel({ isPrivate: true, permissions })
  const objections = async (who: Person) =>
    (await who.post(`/user_groups/${id}/deactivate`)).body.objections.slice(0, 2)
  const settings = ['can_send_message_group']
  expect(await objections(ann)).toEqual([
    { type: 'channel', channel_id: open.id, settings },
    { type: 'channel', settings },
  ])
  expect(await objections(org.owner)).toEqual([
    { type: 'channel', channel_id: open.id, settings },
    { type: 'channel', channel_id: secret.id, settings },
  ])
})

test('users who may not mention a group cannot notify its members', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, bob] })
  await create(ann, 'devs', [], { can_mention_group: { direct_members: [ann.id], direct_subgroups: [] } })
  const say = async (person: Person, content: string) =>
    (await person.post('/messages', { type: 'stream', to: channel.id, topic: 't', content })).body.msg
  expect(await say(ann, '@*devs* hello')).toBe('')
  expect(await say(bob, '@*devs* hello')).toBe("You are not allowed to mention user group 'devs'.")
  expect(await say(bob, '@_*devs* are away')).toBe('')
})

test('a mention shows the name of any group', async () => {
  const org = await organization()
  await create(org.owner, 'constructor')
  const { body } = await org.owner.post('/messages/render', { content: '@_*constructor*' })
  expect(body.rendered).toMatch(/>constructor<\/span><\/p>$/)
})

test('a description may be long, but is limited', async () => {
  const org = await organization()
  const description = 'x'.repeat(10_001)
  const refusal = 'description is too long (limit: 10000 characters)'
  const made = await org.owner.post('/user_groups/create', { name: 'devs', description, members: [] })
  expect(made.body.msg).toBe(refusal)
  const { group_id: id } = await create(org.owner, 'devs')
  expect((await org.owner.patch(`/user_groups/${id}`, { description })).body.msg).toBe(refusal)
  expect((await org.owner.patch(`/user_groups/${id}`, { description: description.slice(1) })).body.msg).toBe(
    '',
  )
})

test('mention permission cannot be limited to owners', async () => {
  const org = await organization()
  const [owners, administrators] = [org.group('role:owners'), org.group('role:administrators')]
  const msg = "'can_mention_group' setting cannot be set to 'role:owners' group."
  expect((await create(org.owner, 'one', [], { can_mention_group: owners })).msg).toBe(msg)
  const alone = { direct_members: [], direct_subgroups: [owners] }
  expect((await create(org.owner, 'two', [], { can_mention_group: alone })).msg).toBe(msg)
  const { group_id } = await create(org.owner, 'three', [], { can_mention_group: administrators })
  const change = (params: object) => org.owner.patch(`/user_groups/${group_id}`, { ...params })
  expect((await change({ can_mention_group: { new: owners } })).body.msg).toBe(msg)
  expect((await change({ can_manage_group: { new: owners } })).body.result).toBe('success')
})
