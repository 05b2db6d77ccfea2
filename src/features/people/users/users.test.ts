import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** Makes a user's email address visible to: 1 everyone, 2 members, 3 administrators, 4 nobody. */
function hideEmail(person: Person, visibility: number) {
  return person.patch('/settings', { email_address_visibility: visibility })
}

/** Restricts guests to users with whom they share a channel or a conversation. */
function limitGuests(org: Organization) {
  return org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
}

test('all users can get a user, by id and by email address', async () => {
  const org = await organization()
  await org.useGravatar()
  const [anna, guest] = await Promise.all([org.person({ name: 'Anna' }), org.person({ role: 'guest' })])
  const { body } = await guest.get(`/users/${anna.id}`)
  expect(body.user).toEqual({
    email: 'anna@example.com',
    user_id: anna.id,
    avatar_version: 1,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    role: 400,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    full_name: 'Anna',
    timezone: '',
    is_active: true,
    date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
    delivery_email: 'anna@example.com',
    avatar_url: null,
  })
  for (const address of ['anna@example.com', 'ANNA@Example.com', `user${anna.id}@${org.place.host}`]) {
    expect((await guest.get(`/users/${address}`)).body.user).toEqual(body.user)
  }
})

test('an avatar has an address unless the client computes it', async () => {
  const org = await organization()
  await org.useGravatar()
  const anna = await org.person({ email: 'Anna@example.com' })
  const md5 = createHash('md5').update('anna@example.com').digest('hex')
  const address = `https://secure.gravatar.com/avatar/${md5}?d=identicon&version=1`
  for (const name of ['client_gravatar', 'client_avatar_provider']) {
    const { body } = await org.owner.get(`/users/${anna.id}`, { [name]: false })
    expect(body.user.avatar_url).toBe(address)
    expect(body.ignored_parameters_unsupported).toBeUndefined()
  }
  const both = await org.owner.get('/users', { client_gravatar: true, client_avatar_provider: true })
  expect(both.body).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' })
})

test('only human users have profile data, and only on request', async () => {
  const org = await organization()
  const { body } = await org.owner.get('/users', { include_custom_profile_fields: true })
  expect(body.members).toMatchObject([{ user_id: org.owner.id, profile_data: {} }])
  expect((await org.owner.get(`/users/${org.owner.id}`)).body.user).not.toHaveProperty('profile_data')
})

test('a hidden email address is visible to permitted users only, and only they find the user by it', async () => {
  const org = await organization()
  await org.useGravatar()
  const [anna, ben, admin] = await Promise.all([
    org.person({ email: 'anna@example.com' }),
    org.person(),
    org.person({ role: 'administrator' }),
  ])
  await hideEmail(anna, 3)
  const standIn = `user${anna.id}@${org.place.host}`
  const seen = async (who: Person) =>
    (await who.get(`/users/${anna.id}`, { client_gravatar: true })).body.user
  expect(await seen(admin)).toMatchObject({
    email: standIn,
    delivery_email: 'anna@example.com',
    avatar_url: null,
  })
  expect(await seen(anna)).toMatchObject({
    email: standIn,
    delivery_email: 'anna@example.com',
    avatar_url: null,
  })
  const plain = await seen(ben)
  expect(plain).toMatchObject({ email: standIn, delivery_email: null })
  expect(plain.avatar_url).toContain('https://')
  const { body } = await ben.get('/users/anna@example.com')
  expect(body).toEqual({ result: 'error', msg: 'No such user', code: 'BAD_REQUEST' })
  expect((await admin.get('/users/anna@example.com')).body.user.user_id).toBe(anna.id)
  expect((await ben.get(`/users/${standIn}`)).body.user.user_id).toBe(anna.id)
})

test('unknown ids and addresses are refused', async () => {
  const org = await organization()
  const systemBot = [...org.state.users.values()].find((user) => user.is_system_bot)!
  for (const path of ['99999999', 'no@example.com', 'word', 'user1@elsewhere.test', `${systemBot.id}`]) {
    const { status, body } = await org.owner.get(`/users/${path}`)
    expect({ status, ...body }).toEqual({
      status: 400,
      result: 'error',
      msg: 'No such user',
      code: 'BAD_REQUEST',
    })
  }
  expect((await org.visitor.get('/users')).status).toBe(401)
})

test('the list contains all users except system bots, or those whose ids are given', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const ids = async (params: object) => {
    const { body } = await ben.get('/users', { ...params })
    return body.members.map((member: { user_id: number }) => member.user_id).sort()
  }
  expect(await ids({})).toEqual([org.owner.id, anna.id, ben.id].sort())
  expect(await ids({ user_ids: [ben.id, 99999999, ben.id] })).toEqual([ben.id])
  expect(await ids({ user_ids: [] })).toEqual([])
})

test('a guest who requests users by id receives only those whom they may see', async () => {
  const org = await organization()
  const [guest, known, unknown] = [
    await org.person({ role: 'guest' }),
    await org.person(),
    await org.person(),
  ]
  await org.channel({ subscribers: [guest, known] })
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const { body } = await guest.get('/users', { user_ids: [known.id, unknown.id, guest.id] })
  expect(body.members.map((one: { user_id: number }) => one.user_id)).toEqual([known.id, guest.id])
})

test('each user receives the list with the fields they may see, even after requests of others', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const emailsFor = async (who: Person, user: Person) => {
    const { body } = await who.get('/users')
    return body.members.find((one: { user_id: number }) => one.user_id === user.id).delivery_email
  }
  expect(await emailsFor(ben, anna)).toBe(anna.email)
  await hideEmail(anna, 3)
  expect(await emailsFor(ben, anna)).toBe(null)
  expect(await emailsFor(org.owner, anna)).toBe(anna.email)
  expect(await emailsFor(anna, anna)).toBe(anna.email)
  expect(await emailsFor(ben, anna)).toBe(null)
  for (const include_custom_profile_fields of [true, false]) {
    const { body } = await ben.get('/users', { include_custom_profile_fields })
    expect(body.members.every((one: object) => 'profile_data' in one)).toBe(include_custom_profile_fields)
  }
})

test('the current user comes with the newest message they received', async () => {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person({ name: 'Anna' }), org.person()])
  const channel = await org.channel({ subscribers: [anna] })
  const own = async (who: Person) => (await who.get('/users/me')).body
  expect(await own(anna)).toMatchObject({
    user_id: anna.id,
    full_name: 'Anna',
    max_message_id: -1,
    profile_data: {},
  })
  expect((await own(anna)).avatar_url).toBe(`/user_avatars/${org.id}/drawn/${anna.id}.png?v=1`)
  const send = (params: object) => anna.post('/messages', { content: 'hi', ...params })
  const first = await send({ type: 'direct', to: [ben.id] })
  const second = await send({ type: 'channel', to: channel.id, topic: 'x' })
  expect(await own(anna)).toMatchObject({ max_message_id: second.body.id })
  expect(await own(ben)).toMatchObject({ max_message_id: first.body.id })
})

test('a limited guest sees users with whom they share a channel or a conversation', async () => {
  const org = await organization()
  const [anna, ben, carla, guest] = await Promise.all([
    org.person({ name: 'Anna' }),
    org.person(),
    org.person(),
    org.person({ role: 'guest' }),
  ])
  await org.channel({ subscribers: [anna, guest] })
  await limitGuests(org)
  await ben.post('/messages', { type: 'direct', to: [guest.id], content: 'hello' })
  expect((await guest.get(`/users/${anna.id}`)).body.user.full_name).toBe('Anna')
  expect((await guest.get(`/users/${ben.id}`)).status).toBe(200)
  expect((await guest.get(`/users/${carla.id}`)).body.msg).toBe('Insufficient permission')
  const { members } = (await guest.get('/users')).body
  const unknown = members.find((member: { user_id: number }) => member.user_id === carla.id)
  expect(unknown).toMatchObject({ full_name: 'Unknown user', delivery_email: null, is_active: true })
  expect(JSON.stringify(members)).not.toContain(carla.email)
})

test('a limited guest receives no events about users whom they may not see', async () => {
  const org = await organization()
  const [anna, carla, guest] = await Promise.all([org.person(), org.person(), org.person({ role: 'guest' })])
  await org.channel({ subscribers: [anna, guest] })
  await limitGuests(org)
  const client = await guest.register({ event_types: ['realm_user'] })
  await org.owner.patch(`/users/${carla.id}`, { full_name: 'Carla' })
  await org.owner.patch(`/users/${anna.id}`, { full_name: 'Anna' })
  expect(await client.events()).toMatchObject([{ person: { user_id: anna.id, full_name: 'Anna' } }])
  await client.expectStateToMatch()
})

test('a limited guest receives a new user without a name, if the client needs that', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  await limitGuests(org)
  const event_types = ['realm_user']
  const [modern, old] = [
    await guest.register({ event_types }),
    await guest.register({ event_types, client_capabilities: { notification_settings_null: true } }),
  ]
  const dora = { email: 'dora@example.com', full_name: 'Dora', password: 'swordfish 12' }
  const { user_id } = (await org.owner.post('/users', dora)).body
  expect(await modern.events()).toEqual([])
  const [event] = await old.events()
  expect(event).toMatchObject({
    op: 'add',
    person: { user_id, full_name: 'Unknown user', delivery_email: null },
  })
  expect(JSON.stringify(event)).not.toMatch(/dora/i)
  await modern.expectStateToMatch()
  await old.expectStateToMatch()
})

test('a user with a new role is told the addresses that they see now, or no longer', async () => {
  const org = await organization()
  const [ann, ben, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const people = [await org.person(), await org.person(), await org.person(), await org.person()]
  for (const [i, visibility] of [2, 3, 4, 5].entries()) await hideEmail(people[i]!, visibility)
  const clients = [
    await ann.register(),
    await ann.register({ client_gravatar: false }),
    await guest.register(),
  ]
  const other = await ben.register()
  const shown = async () =>
    (await clients[0]!.events()).flatMap(({ person }) =>
      person?.delivery_email === undefined ? [] : [[person.user_id, person.delivery_email]],
    )
  for (const [role, last] of [
    [300, [[people[3]!.id, people[3]!.email]]],
    [200, [[people[1]!.id, people[1]!.email]]],
    [600, [people[0]!, people[1]!, people[3]!].map(({ id }) => [id, null])],
    [400, [[people[0]!.id, people[0]!.email]]],
  ] as const) {
    await org.owner.patch(`/users/${ann.id}`, { role })
    expect(await shown()).toEqual(last)
    for (const client of clients) await client.expectStateToMatch()
  }
  expect(JSON.stringify(await other.events())).not.toContain('delivery_email')
})
