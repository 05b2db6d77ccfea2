import { expect, test } from 'vitest'
import { type Client, everyCapability } from '../../../../test/client.ts'
import { success } from '../../../../test/http.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const setting = async () => cast(await organization())

test('a deactivated user can do nothing any more, and disappears from lists', async () => {
  const { org, admin, anna, ben, guest } = await setting()
  const channel = await org.channel({ subscribers: [anna, ben] })
  const secret = await org.channel({ isPrivate: true, subscribers: [anna, guest] })
  const [member, outsider] = [await ben.register(), await guest.register()]
  expect((await admin.delete(`/users/${anna.id}`)).body).toEqual(success)
  const gone = { type: 'realm_user', op: 'update', person: { user_id: anna.id, is_active: false } }
  const left = { type: 'subscription', op: 'peer_remove', user_ids: [anna.id] }
  expect(await member.events()).toMatchObject([gone, { ...left, stream_ids: [channel.id] }])
  expect(await outsider.events()).toMatchObject([gone, { ...left, stream_ids: [secret.id] }])
  for (const client of [member, outsider]) await client.expectStateToMatch()
  const { status, body } = await anna.get('/users/me')
  expect({ status, ...body }).toMatchObject({ status: 401, msg: 'Account is deactivated' })
  expect((await admin.get(`/users/${anna.id}`)).body.user.is_active).toBe(false)
  expect((await admin.delete(`/users/${anna.id}`)).body.msg).toBe('User is deactivated')
})

test('a reactivated user has everything they had', async () => {
  const { org, admin, anna, ben } = await setting()
  const channel = await org.channel({ subscribers: [anna, ben] })
  await admin.post('/user_groups/create', { name: 'crew', description: '', members: [anna.id] })
  await admin.delete(`/users/${anna.id}`)
  const client = await ben.register()
  expect((await admin.post(`/users/${anna.id}/reactivate`)).body).toEqual(success)
  const joined = { type: 'user_group', op: 'add_members', user_ids: [anna.id] }
  expect(await client.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id: anna.id, is_active: true } },
    { type: 'subscription', op: 'peer_add', stream_ids: [channel.id], user_ids: [anna.id] },
    { ...joined, group_id: org.group('role:fullmembers') },
    { ...joined, group_id: org.group('role:members') },
    joined,
  ])
  await client.expectStateToMatch()
  // Except their API keys: they log in again.
  expect((await anna.get('/users/me')).status).toBe(401)
  expect((await admin.post(`/users/${anna.id}/reactivate`)).body).toEqual(success)
  expect(await client.events()).toEqual([])
})

test('only clients that know of archiving receive archived channels', async () => {
  const { org, admin, anna, ben, guest } = await setting()
  const bothIn = { subscribers: [anna, ben, guest] }
  const [open, past] = [await org.channel(bothIn), await org.channel(bothIn)]
  const secret = await org.channel({ isPrivate: true, subscribers: [anna, ben] })
  for (const { id } of [past, secret]) await org.owner.delete(`/streams/${id}`)
  const unaware = { client_capabilities: { ...everyCapability, archived_channels: false } }
  const [newClient, oldClient] = [await ben.register(), await ben.register(unaware)]
  const guests = [await guest.register(), await guest.register(unaware)] as const
  const heard = async (client: Client) => (await client.events()).filter(({ op }) => /^peer_/.test(op))
  const of = (op: string, ids: number[]) => ({
    type: 'subscription',
    op,
    stream_ids: ids,
    user_ids: [anna.id],
  })
  for (const op of ['peer_remove', 'peer_add']) {
    if (op === 'peer_remove') await admin.delete(`/users/${anna.id}`)
    else await admin.post(`/users/${anna.id}/reactivate`)
    const id = expect.any(Number)
    const both = [{ ...of(op, [open.id, past.id]), id }]
    expect(await heard(newClient)).toEqual([...both, { ...of(op, [secret.id]), id }])
    expect(await heard(guests[0])).toEqual(both)
    for (const client of [oldClient, guests[1]]) {
      expect(await heard(client)).toEqual([{ ...of(op, [open.id]), id }])
    }
    for (const client of [newClient, oldClient, ...guests]) await client.expectStateToMatch()
  }
})

test('a permission no longer includes a deactivated user', async () => {
  const { org, anna, ben } = await setting()
  const value = { direct_members: [anna.id, ben.id], direct_subgroups: [] }
  await org.owner.patch('/realm', { can_create_groups: { new: value } })
  const client = await ben.register()
  await org.owner.delete(`/users/${anna.id}`)
  await client.expectStateToMatch()
  expect((await ben.register()).state.realm_can_create_groups.direct_members).toEqual([ben.id])
})

test('guests who do not see a deactivated user are told that they have left groups and settings', async () => {
  const { org, admin, anna, ben, guest } = await setting()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const value = { direct_members: [anna.id, ben.id], direct_subgroups: [] }
  const crew = { name: 'crew', description: '', members: [anna.id, guest.id], can_mention_group: value }
  const { group_id } = (await admin.post('/user_groups/create', crew)).body
  await org.owner.patch('/realm', { can_create_groups: { new: value } })
  const shared = await org.channel({ subscribers: [ben, guest] })
  const other = await org.channel({ subscribers: [ben] })
  for (const { id } of [shared, other])
    await admin.patch(`/streams/${id}`, { can_send_message_group: { new: value } })
  const clients = [await guest.register(), await ben.register()] as const
  await admin.delete(`/users/${anna.id}`)
  const [events, bens] = [await clients[0].events(), await clients[1].events()]
  const left = { type: 'user_group', op: 'remove_members', user_ids: [anna.id] }
  const without = { direct_members: [ben.id], direct_subgroups: [] }
  for (const event of [
    { ...left, group_id },
    { ...left, group_id: org.group('role:members') },
    { type: 'user_group', op: 'update', data: { can_mention_group: without } },
    { type: 'realm', op: 'update_dict', data: { can_create_groups: without } },
    { type: 'stream', property: 'can_send_message_group', value: without, stream_id: shared.id },
  ])
    expect(events).toContainEqual(expect.objectContaining(event))
  expect(events.filter(({ stream_id, type }) => stream_id === other.id || type === 'realm_user')).toEqual([])
  expect(bens.map(({ type }) => type)).toEqual(['realm_user'])
  for (const client of clients) await client.expectStateToMatch()
  await admin.post(`/users/${anna.id}/reactivate`)
  for (const client of clients) await client.expectStateToMatch()
})

test('only clients that know of deactivated groups are told of their members who return', async () => {
  const { admin, anna, ben } = await setting()
  const crew = { name: 'crew', description: '', members: [anna.id] }
  const { group_id } = (await admin.post('/user_groups/create', crew)).body
  await admin.post(`/user_groups/${group_id}/deactivate`)
  const unaware = { client_capabilities: { ...everyCapability, include_deactivated_groups: false } }
  const [newClient, oldClient] = [await ben.register(), await ben.register(unaware)]
  await admin.delete(`/users/${anna.id}`)
  await admin.post(`/users/${anna.id}/reactivate`)
  const heard = async (client: Client) =>
    (await client.events()).filter((event) => event.group_id === group_id)
  expect(await heard(newClient)).toMatchObject([{ op: 'add_members', user_ids: [anna.id] }])
  expect(await heard(oldClient)).toEqual([])
  for (const client of [newClient, oldClient]) await client.expectStateToMatch()
})

test('bots are deactivated with their owner', async () => {
  const { org, admin, anna, ben } = await setting()
  const bot = await org.bot(anna)
  const client = await ben.register()
  await admin.delete(`/users/${anna.id}`)
  expect((await client.events()).map(({ person }) => person.user_id)).toEqual([anna.id, bot.id])
  expect((await admin.delete(`/users/${bot.id}`)).body.msg).toBe('No such user')
  await client.expectStateToMatch()
})

test('who may deactivate whom', async () => {
  const { org, admin, anna, ben } = await setting()
  expect((await ben.delete(`/users/${anna.id}`)).body.msg).toBe('Insufficient permission')
  expect((await ben.post(`/users/${anna.id}/reactivate`)).body.msg).toBe('Insufficient permission')
  expect((await admin.delete(`/users/${org.owner.id}`)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  expect((await admin.delete('/users/99999999')).body.msg).toBe('No such user')
  expect((await org.owner.delete(`/users/${org.owner.id}`)).body).toEqual({
    result: 'error',
    msg: 'Cannot deactivate the only organization owner',
    code: 'BAD_REQUEST',
  })
  expect((await org.owner.delete('/users/me')).body).toEqual({
    result: 'error',
    msg: 'Cannot deactivate the only organization owner.',
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    is_last_owner: true,
    entity: 'organization owner',
  })
  const second = await org.person({ role: 'owner' })
  const answers = await Promise.all([second.delete('/users/me'), org.owner.delete('/users/me')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('users may deactivate themselves', async () => {
  const { anna, ben } = await setting()
  const client = await ben.register()
  expect((await anna.delete('/users/me')).body).toEqual(success)
  expect(await client.events()).toMatchObject([{ person: { user_id: anna.id, is_active: false } }])
  expect((await anna.get('/users/me')).status).toBe(401)
})
