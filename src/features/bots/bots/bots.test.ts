import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast, type Organization } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { botLimits } from '../kernel/bots/limits.ts'

const { organization } = sharedServer()

const helper = { full_name: 'Helper', short_name: 'helper' }

const setting = async () => cast(await organization())

/** Creates a bot that can log in. */
async function bot(org: Organization, owner: Person, params: object = {}): Promise<Person> {
  const { body } = await owner.post('/bots', { ...helper, ...params })
  expect(body).toMatchObject(success)
  const email = org.state.users.require(body.user_id).delivery_email
  return new Person(org.place, { id: body.user_id, name: 'Helper', email, key: body.api_key })
}

test('all users see a new bot, but only its owner and administrators see its key', async () => {
  const { org, admin, anna, ben } = await setting()
  await org.channel({ isDefault: true })
  const clients = await Promise.all([anna, admin, ben].map((person) => person.register()))
  const made = await bot(org, anna)
  const [own, administrators, others] = await Promise.all(clients.map((client) => client.events()))
  const joined = { type: 'user_group', op: 'add_members', user_ids: [made.id] }
  const known = [
    { type: 'realm_user', op: 'add', person: { is_bot: true, bot_owner_id: anna.id } },
    joined,
    joined,
  ]
  const view = { user_id: made.id, owner_id: anna.id, api_key: made.key, services: [] }
  const added = { type: 'realm_bot', op: 'add', bot: view }
  expect(others).toMatchObject(known)
  expect(own).toMatchObject([...known, added])
  expect(administrators).toMatchObject([...known, added])
  for (const client of clients) await client.expectStateToMatch()
  expect((await made.get('/users/me')).body).toMatchObject({ user_id: made.id, is_bot: true, role: 400 })
  expect((await made.get('/users/me/subscriptions')).body.subscriptions).toEqual([])
  expect((await anna.get('/bots')).body.bots).toMatchObject([{ username: made.email, api_key: made.key }])
  expect((await ben.get('/bots')).body.bots).toEqual([])
})

test('rejects invalid new bots', async () => {
  const { org, anna, guest } = await setting()
  const made = await bot(org, anna)
  const refusal = async (person: Person, params: object) =>
    (await person.post('/bots', { ...params })).body.msg
  expect(await refusal(anna, {})).toBe("Missing 'full_name' argument")
  expect(await refusal(anna, { ...helper, full_name: 'z' })).toBe('Name too short!')
  expect(await refusal(anna, { ...helper, short_name: 'a b' })).toBe('Bad name or username')
  expect(await refusal(anna, { ...helper, short_name: ' ' })).toBe('Bad name or username')
  expect(await refusal(anna, helper)).toBe('Email is already in use.')
  expect(await refusal(anna, { ...helper, short_name: 'other' })).toBe('Name is already in use.')
  const other = { full_name: 'Other', short_name: 'other' }
  for (const bot_type of [0, 9]) {
    expect(await refusal(anna, { ...other, bot_type })).toBe('Invalid bot type')
  }
  expect(await refusal(anna, { ...other, bot_type: 4 })).toBe('Invalid embedded bot name.')
  expect(await refusal(anna, { ...other, default_sending_stream: 'nowhere' })).toBe(
    "Invalid channel name 'nowhere'",
  )
  expect(await refusal(guest, helper)).toBe('Not allowed for guest users')
  expect(await refusal(made, helper)).toBe('This endpoint does not accept bot requests.')
  expect((await guest.get('/bots')).body.msg).toBe('Not allowed for guest users')
})

test('permission to create bots', async () => {
  const { org, admin, anna } = await setting()
  const administrators = { new: org.group('role:administrators') }
  await org.owner.patch('/realm', { can_create_bots_group: administrators })
  expect((await anna.post('/bots', helper)).body.msg).toBe('Insufficient permission')
  await bot(org, anna, { bot_type: 2 })
  await org.owner.patch('/realm', { can_create_write_only_bots_group: administrators })
  expect((await anna.post('/bots', { full_name: 'Second', short_name: 'b', bot_type: 2 })).body.msg).toBe(
    'Insufficient permission',
  )
  await bot(org, admin, { full_name: 'Third', short_name: 'c' })
})

test('an incoming webhook bot can only send messages', async () => {
  const { org, anna } = await setting()
  const channel = await org.channel({ subscribers: [anna] })
  const hook = await bot(org, anna, { bot_type: 2 })
  const message = { type: 'channel', to: channel.name, topic: 'news', content: 'It works.' }
  expect((await hook.post('/messages', message)).body).toMatchObject(success)
  for (const path of ['/users/me', '/messages', '/bots', '/bot_storage']) {
    const { status, body } = await hook.get(path)
    expect({ status, ...body }).toEqual({
      status: 401,
      result: 'error',
      msg: 'This API is not available to incoming webhook bots.',
      code: 'UNAUTHORIZED',
    })
  }
  expect((await hook.post('/register')).status).toBe(401)
})

test('its owner and administrators can change a bot', async () => {
  const { org, admin, anna, ben } = await setting()
  const channel = await org.channel({ name: 'Signals' })
  const secret = await org.channel({ isPrivate: true, subscribers: [ben] })
  const { id } = await bot(org, anna)
  const clients = await Promise.all([anna, admin, ben].map((person) => person.register()))
  const [own, , others] = clients
  const changes = { full_name: 'Siren', default_sending_stream: 'signals', default_all_public_streams: true }
  expect((await anna.patch(`/bots/${id}`, changes)).body).toMatchObject({
    ...success,
    full_name: 'Siren',
    default_sending_stream: channel.name,
    default_events_register_stream: null,
    default_all_public_streams: true,
    bot_owner: anna.email,
  })
  const renamed = { type: 'realm_user', op: 'update', person: { user_id: id, full_name: 'Siren' } }
  const told = (change: object) => ({ type: 'realm_bot', op: 'update', bot: { user_id: id, ...change } })
  expect(await others!.events()).toMatchObject([renamed])
  expect(await own!.events()).toMatchObject([
    renamed,
    told({ full_name: 'Siren' }),
    told({ default_sending_stream: channel.name }),
    told({ default_all_public_streams: true }),
  ])
  expect((await anna.patch(`/bots/${id}`, changes)).body).toMatchObject(success)
  expect(await own!.events()).toEqual([])
  expect((await admin.patch(`/bots/${id}`, { role: 300, default_sending_stream: '' })).body).toMatchObject({
    default_sending_stream: null,
  })
  expect(org.state.users.require(id).role).toBe(300)
  for (const client of clients) await client.expectStateToMatch()
  const refusal = async (person: Person, params: object) =>
    (await person.patch(`/bots/${id}`, { ...params })).body.msg
  expect(await refusal(anna, { full_name: 'Ben' })).toBe('Name is already in use.')
  expect(await refusal(ben, { full_name: 'Mine' })).toBe('Insufficient permission')
  expect(await refusal(anna, { role: 200 })).toBe('Insufficient permission')
  expect(await refusal(admin, { role: 100 })).toBe('Must be an organization owner')
  expect(await refusal(anna, { default_sending_stream: secret.name })).toBe(
    `Invalid channel name '${secret.name}'`,
  )
  for (const other of [99_999_999, ben.id]) {
    expect((await anna.patch(`/bots/${other}`, { full_name: 'Mine' })).body.msg).toBe('No such bot')
  }
})

test('a bot can be given to another owner', async () => {
  const { org, admin, anna, ben } = await setting()
  const { id, key } = await bot(org, anna)
  const clients = await Promise.all([anna, ben, admin].map((person) => person.register()))
  expect((await admin.patch(`/bots/${id}`, { bot_owner_id: ben.id })).body.bot_owner).toBe(ben.email)
  const everybody = { type: 'realm_user', op: 'update', person: { user_id: id, bot_owner_id: ben.id } }
  const [before, after, administrators] = await Promise.all(clients.map((client) => client.events()))
  expect(before).toMatchObject([{ type: 'realm_bot', op: 'delete', bot: { user_id: id } }, everybody])
  expect(after).toMatchObject([
    { type: 'realm_bot', op: 'add', bot: { user_id: id, api_key: key } },
    everybody,
  ])
  expect(administrators).toMatchObject([
    { type: 'realm_bot', op: 'update', bot: { user_id: id, owner_id: ben.id } },
    everybody,
  ])
  for (const client of clients) await client.expectStateToMatch()
  const refusal = async (bot_owner_id: number) =>
    (await admin.patch(`/bots/${id}`, { bot_owner_id })).body.msg
  expect(await refusal(99_999_999)).toBe('Failed to change owner, no such user')
  expect(await refusal(id)).toBe("Failed to change owner, bots can't own other bots")
  await admin.delete(`/users/${anna.id}`)
  expect(await refusal(anna.id)).toBe('Failed to change owner, user is deactivated')
})

test('a new key revokes the old one', async () => {
  const { org, admin, anna, ben } = await setting()
  const made = await bot(org, anna)
  const [own, administrators] = [await anna.register(), await admin.register()]
  const { api_key: key } = (await anna.post(`/bots/${made.id}/api_key/regenerate`)).body
  expect((await made.get('/users/me')).status).toBe(401)
  expect((await new Person(org.place, { ...made, key }).get('/users/me')).status).toBe(200)
  const update = { type: 'realm_bot', op: 'update' }
  const event = { id: expect.any(Number), ...update }
  expect(await own.events()).toEqual([{ ...event, bot: { user_id: made.id, api_key: key } }])
  expect(await administrators.events()).toEqual([{ ...event, bot: { user_id: made.id, api_key: key } }])
  await own.expectStateToMatch()
  await administrators.expectStateToMatch()
  expect((await ben.post(`/bots/${made.id}/api_key/regenerate`)).body.msg).toBe('Insufficient permission')
  await org.owner.patch(`/bots/${made.id}`, { role: 100 })
  expect((await admin.post(`/bots/${made.id}/api_key/regenerate`)).body.msg).toBe(
    'Must be an organization owner',
  )
})

test('a deactivated bot stays listed and can be reactivated', async () => {
  const { org, admin, anna, ben } = await setting()
  const { id } = await bot(org, anna)
  const client = await anna.register()
  expect((await ben.delete(`/bots/${id}`)).body.msg).toBe('Insufficient permission')
  expect((await anna.delete(`/bots/${ben.id}`)).body.msg).toBe('No such bot')
  expect((await anna.delete(`/bots/${id}`)).body).toEqual(success)
  expect(await client.events()).toMatchObject([
    { type: 'realm_user', op: 'update', person: { user_id: id, is_active: false } },
    { type: 'realm_bot', op: 'update', bot: { user_id: id, is_active: false } },
  ])
  expect((await anna.delete(`/bots/${id}`)).body).toEqual(success)
  expect(await client.events()).toEqual([])
  await client.expectStateToMatch()
  expect((await anna.get('/bots')).body.bots).toEqual([])
  await admin.post(`/users/${id}/reactivate`)
  await client.expectStateToMatch()
  expect((await anna.get('/bots')).body.bots).toHaveLength(1)
})

test('every user has a bot storage of their own', async () => {
  const { org, anna, ben } = await setting()
  const made = await bot(org, anna)
  expect((await made.put('/bot_storage', { storage: { a: '1', b: '2' } })).body).toEqual(success)
  expect((await made.put('/bot_storage', { storage: { b: 'two', c: '' } })).body).toEqual(success)
  const stored = async (keys?: string[]) => (await made.get('/bot_storage', keys ? { keys } : {})).body
  expect((await stored()).storage).toEqual({ a: '1', b: 'two', c: '' })
  expect((await stored(['b'])).storage).toEqual({ b: 'two' })
  expect((await stored(['b', 'd'])).msg).toBe('Key does not exist.')
  expect((await ben.get('/bot_storage')).body.storage).toEqual({})
  expect((await made.delete('/bot_storage', { keys: ['a', 'd'] })).body.msg).toBe('Key does not exist.')
  expect((await made.delete('/bot_storage', { keys: ['a'] })).body).toEqual(success)
  expect((await stored()).storage).toEqual({ b: 'two', c: '' })
  const large = { storage: { b: 'x'.repeat(999_990), large: 'xyz' } }
  expect((await made.put('/bot_storage', large)).body).toMatchObject(success)
  const tooLarge = { storage: { c: 'y'.repeat(20) } }
  expect((await made.put('/bot_storage', tooLarge)).body.msg).toContain('storage limit')
  expect((await stored(['c'])).storage).toEqual({ c: '' })
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']))
  const manyKeys = await made.put('/bot_storage', { storage: many(botLimits.botStorageKeys) })
  expect(manyKeys.body.msg).toContain('storage limit')
  expect(Object.keys((await stored()).storage)).toHaveLength(3)
  expect((await made.put('/bot_storage', { storage: { b: '' } })).body).toEqual(success)
  expect((await made.put('/bot_storage', { storage: many(1_200) })).body).toEqual(success)
  expect(Object.keys((await stored()).storage)).toHaveLength(1_203)
  expect((await made.put('/bot_storage', { storage: { a: 1 } })).status).toBe(400)
  expect((await made.put('/bot_storage', { storage: { a: '\0' } })).status).toBe(400)
  expect((await made.delete('/bot_storage')).body).toEqual(success)
  expect((await stored()).storage).toEqual({})
})

test('an administrator gets to know all bots with the role, and loses those of others with it', async () => {
  const org = await organization()
  const [ann, ben] = [await org.person(), await org.person()]
  for (const owner of [ann, ben]) await org.bot(owner)
  const client = await ann.register()
  for (const role of [200, 100, 400]) {
    await org.owner.patch(`/users/${ann.id}`, { role })
    await client.expectStateToMatch()
  }
})
