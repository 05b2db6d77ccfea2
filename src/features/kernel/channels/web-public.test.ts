import { expect, test } from 'vitest'
import type { Wire } from '../../../../test/client.ts'
import { changeRealm, sender } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import { Caller } from '../../../../test/person.ts'
import { startNode, testServer } from '../../../../test/test-server.ts'

const site = testServer()
const { organization } = site
const webPublic = [{ operator: 'channels', operand: 'web-public' }]
const loggedOut = { msg: 'Not logged in: API authentication or user session required', code: 'UNAUTHORIZED' }

async function openOrganization(): Promise<Organization> {
  const org = await organization()
  await changeRealm(org, { enable_spectator_access: true })
  return org
}

function read(caller: Caller, narrow: unknown, params: object = {}) {
  return caller.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...params })
}

async function contents(caller: Caller, narrow: unknown, params: object = {}): Promise<string[]> {
  const { body } = await read(caller, narrow, params)
  expect(body).toMatchObject({ result: 'success' })
  return body.messages.map((message: Wire) => message.content)
}

test('permitted users make a channel web-public if the organization allows such channels', async () => {
  const org = await organization()
  const [ann, admin] = [await org.person(), await org.person({ role: 'administrator' })]
  const channel = await org.channel({ creator: ann, subscribers: [ann] })
  const objectionTo = async (person: Caller) =>
    (await person.patch(`/streams/${channel.id}`, { is_web_public: true })).body.msg
  expect(await objectionTo(org.owner)).toBe('Web-public channels are not enabled.')
  await org.owner.patch('/realm', { enable_spectator_access: true })
  expect(await objectionTo(ann)).toBe('Insufficient permission')
  expect(await objectionTo(admin)).toBe('Insufficient permission')
  const both = { is_web_public: true, is_private: true }
  expect((await org.owner.patch(`/streams/${channel.id}`, both)).body.msg).toBe('Invalid parameters')
  expect(await objectionTo(org.owner)).toBe('')
  const administrators = { new: org.group('role:administrators') }
  await org.owner.patch('/realm', { can_create_web_public_channel_group: administrators })
  expect(await objectionTo(admin)).toBe('')
})

test('a web-public channel becomes private only if the request also ends its web-public access', async () => {
  const org = await openOrganization()
  const channel = await org.channel({ isWebPublic: true, subscribers: [org.owner] })
  const change = (settings: object) => org.owner.patch(`/streams/${channel.id}`, { ...settings })
  const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid parameters' } }
  expect(await change({ is_private: true })).toMatchObject(refused)
  expect(await change({ is_private: true, history_public_to_subscribers: true })).toMatchObject(refused)
  expect(org.state.channels.get(channel.id)).toMatchObject({ is_private: false, is_web_public: true })
  expect((await change({ is_private: true, is_web_public: false })).status).toBe(200)
  expect(org.state.channels.get(channel.id)).toMatchObject({ is_private: true, is_web_public: false })
})

test('a new channel is web-public if its creator may create such channels', async () => {
  const org = await openOrganization()
  const ann = await org.person()
  const add = (person: Caller, more: object) =>
    person.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'shop' }],
      is_web_public: true,
      ...more,
    })
  expect((await add(ann, {})).body.msg).toBe('Insufficient permission')
  expect((await add(org.owner, { invite_only: true })).body.msg).toBe('Invalid parameters')
  expect((await add(org.owner, {})).body.result).toBe('success')
  const only = { include_web_public: true, include_public: false, include_subscribed: false }
  const { streams } = (await ann.get('/streams', only)).body
  expect(streams).toMatchObject([{ name: 'shop', is_web_public: true, invite_only: false }])
})

test('guests receive web-public channels being added and removed, and their subscribers', async () => {
  const org = await openOrganization()
  const [guest, ann] = [await org.person({ role: 'guest' }), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner] })
  const client = await guest.register()
  await org.owner.patch(`/streams/${channel.id}`, { is_web_public: true })
  const events = await client.events()
  expect(events.map(({ type, op }) => `${type} ${op}`)).toEqual(['stream create', 'subscription peer_add'])
  await ann.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  const both = { subscriptions: [{ name: channel.name }], principals: [guest.id] }
  expect((await ann.post('/users/me/subscriptions', both)).body.subscribed).toHaveProperty([guest.id])
  await client.expectStateToMatch()
  await ann.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await guest.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await client.expectStateToMatch()
  await org.owner.patch(`/streams/${channel.id}`, { is_web_public: false })
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  await client.expectStateToMatch()
})

test('spectators read web-public channels', async () => {
  const org = await openOrganization()
  const ann = await org.person({ name: 'Ann' })
  const shop = await org.channel({ isWebPublic: true, name: 'shop', subscribers: [ann] })
  const id = await sender(ann, shop)('hours', 'We are *open*.')
  const { messages } = (await read(org.visitor, webPublic)).body
  expect(messages).toMatchObject([{ id, sender_full_name: 'Ann', flags: ['read'], stream_id: shop.id }])
  expect(messages[0].content).toBe('<p>We are <em>open</em>.</p>')
  const one = await org.visitor.get(`/messages/${id}`)
  expect(one.body).toMatchObject({ raw_content: 'We are *open*.', message: { id, flags: ['read'] } })
  const topics = await org.visitor.get(`/users/me/${shop.id}/topics`)
  expect(topics.body.topics).toEqual([{ name: 'hours', max_id: id }])
  const inShop = (...more: object[]) => [{ operator: 'channel', operand: shop.id }, ...webPublic, ...more]
  expect(await contents(org.visitor, inShop({ operator: 'topic', operand: 'hours' }))).toHaveLength(1)
  expect(await contents(org.visitor, inShop({ operator: 'search', operand: 'open' }))).toHaveLength(1)
  expect(await contents(org.visitor, inShop({ operator: 'with', operand: id }))).toHaveLength(1)
  expect(await contents(org.visitor, inShop({ operator: 'has', operand: 'link' }))).toHaveLength(0)
  expect(await contents(org.visitor, webPublic, { anchor: 'first_unread' })).toHaveLength(1)
})

/** An organization with hidden data, and the texts that spectators must not find. */
async function organizationWithSecrets() {
  const org = await openOrganization()
  const ann = await org.person({ name: 'Ann' })
  const folder = (await org.owner.post('/channel_folders/create', { name: 'HIDDEN folder', description: '' }))
    .body.channel_folder_id
  const members = { name: 'HIDDEN group', description: '', members: [ann.id] }
  await org.owner.post('/user_groups/create', members)
  const everybody = [org.owner, ann]
  const channels = {
    open: await org.channel({ isWebPublic: true, name: 'open', subscribers: everybody }),
    public: await org.channel({ name: 'HIDDEN public', subscribers: everybody, isDefault: true }),
    private: await org.channel({ name: 'HIDDEN private', isPrivate: true, subscribers: everybody }),
    shared: await org.channel({
      name: 'HIDDEN shared',
      isPrivate: true,
      hasOpenHistory: true,
      subscribers: everybody,
    }),
    archived: await org.channel({ name: 'HIDDEN archived', isWebPublic: true, subscribers: everybody }),
  }
  await org.owner.patch(`/streams/${channels.public.id}`, { folder_id: folder })
  const ids: number[] = []
  for (const channel of Object.values(channels)) {
    if (channel !== channels.open) ids.push(await sender(ann, channel)('HIDDEN topic', 'HIDDEN text'))
  }
  const direct = { type: 'direct', to: [org.owner.id], content: 'HIDDEN text' }
  ids.push((await ann.post('/messages', direct)).body.id)
  await org.owner.delete(`/streams/${channels.archived.id}`)
  await ann.post('/users/me/status', { status_text: 'HIDDEN status' })
  await sender(ann, channels.open)('hello', 'hello')
  return { org, ann, channels, hidden: ids }
}

test('spectators find nothing else', async () => {
  const { org, ann, channels, hidden } = await organizationWithSecrets()
  const { visitor } = org
  for (const id of hidden) expect((await visitor.get(`/messages/${id}`)).body).toMatchObject(loggedOut)
  expect((await visitor.get('/messages/99999')).body).toMatchObject(loggedOut)
  for (const { id } of Object.values(channels).slice(1)) {
    expect((await visitor.get(`/users/me/${id}/topics`)).body.msg).toBe('Invalid channel ID')
    const there = await read(visitor, [{ operator: 'channel', operand: id }, ...webPublic])
    const nowhere = await read(visitor, [{ operator: 'channel', operand: 9999 }, ...webPublic])
    expect(there.body.msg).toBe(nowhere.body.msg.replace('9999', String(id)))
  }
  const narrows = [
    webPublic,
    [{ operator: 'channels', operand: 'public' }, ...webPublic],
    [{ operator: 'sender', operand: ann.id }, ...webPublic],
    [{ operator: 'search', operand: 'HIDDEN' }, ...webPublic],
    [{ operator: 'topic', operand: 'HIDDEN topic' }, ...webPublic],
    [...webPublic, { operator: 'channel', operand: channels.public.id, negated: true }],
    ...hidden.map((id) => [{ operator: 'id', operand: id }, ...webPublic]),
  ]
  for (const narrow of narrows) {
    expect(JSON.stringify((await read(visitor, narrow)).body)).not.toContain('HIDDEN')
    const byId = { narrow, message_ids: hidden }
    expect((await visitor.get('/messages', byId)).body.messages ?? []).toEqual([])
  }
  for (const id of hidden) {
    const answer = await read(visitor, [{ operator: 'with', operand: id }, ...webPublic])
    expect(answer.body.msg).toBe("Invalid narrow operator: Invalid 'with' operator")
  }
})

test.each<[string, unknown]>([
  ['no narrow', undefined],
  ['an empty one', []],
  ['another channel', [{ operator: 'channel', operand: 'HIDDEN public' }]],
  ['public channels', [{ operator: 'channels', operand: 'public' }]],
  ['all but web-public channels', [{ operator: 'channels', operand: 'web-public', negated: true }]],
  ['direct messages', [...webPublic, { operator: 'is', operand: 'dm' }]],
  ['no direct messages', [...webPublic, { operator: 'is', operand: 'dm', negated: true }]],
  ['a conversation', [...webPublic, { operator: 'dm', operand: [1] }]],
  ['a person’s conversations', [...webPublic, { operator: 'dm-including', operand: 1 }]],
  ['mentions', [...webPublic, { operator: 'is', operand: 'mentioned' }]],
  ['stars', [...webPublic, { operator: 'is', operand: 'starred' }]],
  ['what is at home', [...webPublic, { operator: 'in', operand: 'home' }]],
  ['what there is not', [...webPublic, { operator: 'bogus', operand: 'x' }]],
])('a narrow that asks for %s takes a login', async (_, narrow) => {
  const org = await openOrganization()
  const answer = await read(org.visitor, narrow)
  expect(answer).toMatchObject({ status: 401, body: loggedOut })
})

test('spectators see neither addresses nor earlier versions of messages', async () => {
  const org = await openOrganization()
  const ann = await org.person({ email: 'ann@example.com' })
  await ann.patch('/settings', { email_address_visibility: 1 })
  const open = await org.channel({ isWebPublic: true, subscribers: [ann] })
  const id = await sender(ann, open)('topic', 'HIDDEN before')
  await ann.patch(`/messages/${id}`, { content: 'after' })
  const seen = JSON.stringify([
    (await read(org.visitor, webPublic, { client_gravatar: true })).body,
    (await org.visitor.get(`/messages/${id}`)).body,
    (await org.visitor.get('/users', { include_custom_profile_fields: true })).body,
    (await org.visitor.post('/register', { client_gravatar: true })).body,
  ])
  expect(seen).toContain('after')
  expect(seen).not.toContain('HIDDEN')
  expect(seen).not.toContain('ann@example.com')
  expect(seen).not.toContain(org.owner.email)
  const from = (operand: string) => read(org.visitor, [...webPublic, { operator: 'sender', operand }])
  expect((await from('ann@example.com')).body.desc).toBe('unknown user ann@example.com')
  expect((await from('nobody@example.com')).body.desc).toBe('unknown user nobody@example.com')
  const { messages } = (await read(org.visitor, webPublic)).body
  expect((await from(messages[0].sender_email)).body.messages).toHaveLength(1)
  const byUser = (await ann.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).body
  expect(byUser.messages[0].edit_history).toHaveLength(1)
})

test('spectators register without a queue, and receive only web-public data', async () => {
  const { org, ann, channels } = await organizationWithSecrets()
  const { body } = await org.visitor.post('/register', { include_subscribers: true })
  expect(body).toMatchObject({ result: 'success', queue_id: null, last_event_id: -1 })
  expect(body.subscriptions).toMatchObject([{ stream_id: channels.open.id, name: 'open' }])
  expect(body).toMatchObject({ unsubscribed: [], never_subscribed: [], channel_folders: [], presences: {} })
  expect(body.realm_users.map((user: Wire) => user.user_id)).toContain(ann.id)
  expect(body.server_web_public_streams_enabled).toBe(true)
  expect(JSON.stringify(body)).not.toContain('HIDDEN')
  expect(JSON.stringify(body)).not.toContain('@example.com')
  const few = await org.visitor.post('/register', { fetch_event_types: ['realm'] })
  expect(few.body.realm_name).toBe(org.state.row.name)
  expect(few.body).not.toHaveProperty('subscriptions')
})

test('an organization that hides its users from guests hides them from spectators', async () => {
  const org = await openOrganization()
  const ann = await org.person({ name: 'HIDDEN person' })
  await changeRealm(org, { can_access_all_users_group: org.group('role:members') })
  const { members } = (await org.visitor.get('/users')).body
  expect(members.find((user: Wire) => user.user_id === ann.id).full_name).toBe('Unknown user')
  expect(JSON.stringify((await org.visitor.post('/register')).body)).not.toContain('HIDDEN')
})

test('nothing is open without the consent of both the organization and the server', async () => {
  const org = await organization()
  const open = await org.channel({ isWebPublic: true, subscribers: [org.owner] })
  const id = await sender(org.owner, open)('topic', 'text')
  const asks = [
    (visitor: Caller) => read(visitor, webPublic),
    (visitor: Caller) => visitor.get(`/messages/${id}`),
    (visitor: Caller) => visitor.get(`/users/me/${open.id}/topics`),
    (visitor: Caller) => visitor.get('/users'),
    (visitor: Caller) => visitor.post('/register'),
  ]
  const allRefuse = async (visitor: Caller) => {
    for (const ask of asks) expect(await ask(visitor)).toMatchObject({ status: 401, body: loggedOut })
  }
  await allRefuse(org.visitor)
  await changeRealm(org, { enable_spectator_access: true })
  for (const ask of asks) expect((await ask(org.visitor)).status).toBe(200)
  await changeRealm(org, { enable_spectator_access: false })
  await allRefuse(org.visitor)
  await changeRealm(org, { enable_spectator_access: true })
  const closed = await startNode(site.databaseUrl, { webPublicChannels: false })
  try {
    await allRefuse(new Caller({ ...org.place, port: closed.port }))
  } finally {
    await closed.close()
  }
})

test('invalid credentials are not treated as missing ones', async () => {
  const org = await openOrganization()
  const headers = { authorization: 'Basic bm9ib2R5OndoYXRldmVy' }
  const answer = await org.visitor.get('/messages', { anchor: 'newest', narrow: webPublic }, { headers })
  expect(answer).toMatchObject({ status: 401, body: { msg: 'Malformed API key' } })
})

test('all other operations still require a login', async () => {
  const org = await openOrganization()
  const paths = [
    '/streams',
    '/users/me',
    '/user_groups',
    '/users/me/subscriptions',
    '/drafts',
    '/realm/presence',
  ]
  for (const path of paths) expect((await org.visitor.get(path)).status).toBe(401)
  const post = { type: 'channel', to: 'open', topic: 't', content: 'c' }
  expect((await org.visitor.post('/messages', post)).status).toBe(401)
  expect((await org.visitor.get('/events', { queue_id: 'x', last_event_id: -1 })).status).toBe(401)
})
