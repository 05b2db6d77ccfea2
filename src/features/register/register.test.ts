import pg from 'pg'
import { expect, test } from 'vitest'
import type { Organization } from '../../../test/organization.ts'
import type { Person } from '../../../test/person.ts'
import { world } from '../../../test/world.ts'
import { noCapabilities } from '../../queues/queue.ts'

const here = world()
const { organization, anotherNode } = here

const everyCapability = Object.fromEntries(Object.keys(noCapabilities).map((name) => [name, true]))
const always = [
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'zulip_feature_level',
  'zulip_version',
  'zulip_merge_base',
]

/** What a client gets that asks for these types of data, besides what all get. */
async function fetched(person: Person, types: string[], params = {}) {
  const { body } = await person.post('/register', { fetch_event_types: types, ...params })
  expect(body).toMatchObject({ result: 'success' })
  return Object.fromEntries(Object.entries(body).filter(([name]) => !always.includes(name)))
}

const byType: [type: string, fields: string[]][] = [
  ['alert_words', ['alert_words']],
  ['channel_folders', ['channel_folders']],
  ['custom_profile_fields', ['custom_profile_field_types', 'custom_profile_fields']],
  ['default_stream_groups', ['realm_default_stream_groups']],
  ['default_streams', ['realm_default_streams']],
  ['drafts', ['drafts']],
  ['giphy', ['giphy_api_key']],
  ['message', ['max_message_id']],
  ['muted_topics', ['muted_topics']],
  ['muted_users', ['muted_users']],
  ['navigation_views', ['navigation_views']],
  ['onboarding_steps', ['navigation_tour_video_url', 'onboarding_steps']],
  ['presence', ['presence_last_update_id', 'presences', 'server_timestamp']],
  ['push_device', ['push_devices']],
  ['realm_billing', ['realm_billing']],
  ['realm_bot', ['realm_bots']],
  ['realm_domains', ['realm_domains']],
  ['realm_embedded_bots', ['realm_embedded_bots']],
  ['realm_emoji', ['realm_emoji']],
  ['realm_filters', ['realm_filters']],
  ['realm_incoming_webhook_bots', ['realm_incoming_webhook_bots']],
  ['realm_linkifiers', ['realm_linkifiers']],
  ['realm_playgrounds', ['realm_playgrounds']],
  ['realm_user_groups', ['realm_user_groups']],
  ['realm_user_settings_defaults', ['realm_user_settings_defaults']],
  ['recent_private_conversations', ['recent_private_conversations']],
  ['reminders', ['reminders']],
  ['saved_snippets', ['saved_snippets']],
  ['scheduled_messages', ['scheduled_messages']],
  ['starred_messages', ['starred_messages']],
  ['stop_words', ['stop_words']],
  ['stream', ['streams']],
  ['subscription', ['never_subscribed', 'subscriptions', 'unsubscribed']],
  ['update_message_flags', []],
  ['update_display_settings', []],
  ['update_global_notifications', []],
  ['user_settings', ['user_settings']],
  ['user_status', ['user_status']],
  ['user_topic', ['user_topics']],
  ['video_calls', ['has_zoom_token']],
  ['typing', []],
  ['nonsense', []],
]

test('each type of data brings its fields, and only those', async () => {
  const { owner } = await organization()
  for (const [type, fields] of byType) {
    const found = await fetched(owner, [type], { client_capabilities: everyCapability })
    expect(Object.keys(found).sort(), type).toEqual(fields)
  }
  const unread = await fetched(owner, ['message', 'update_message_flags'])
  expect(Object.keys(unread).sort()).toEqual(['max_message_id', 'unread_msgs'])
  expect(await fetched(owner, ['muted_topics', 'user_topic'])).not.toHaveProperty('muted_topics')
})

test('without types, everything comes', async () => {
  const { owner } = await organization()
  const { state } = await owner.register()
  for (const [type, fields] of byType) for (const field of fields) expect(state, type).toHaveProperty(field)
  expect(state).toMatchObject({
    zulip_feature_level: 407,
    email: owner.email,
    user_id: owner.id,
    is_owner: true,
    is_admin: true,
    is_moderator: true,
    is_guest: false,
    can_create_streams: true,
    max_message_id: -1,
    max_message_length: 10_000,
    max_topic_length: 60,
    max_stream_name_length: 60,
    max_bulk_new_subscription_messages: 100,
    realm_mandatory_topics: false,
    realm_allow_edit_history: true,
    realm_create_public_stream_policy: 1,
    realm_create_web_public_stream_policy: 7,
    realm_wildcard_mention_policy: 5,
    realm_url: 'http://org2.chat.test',
    realm_uri: 'http://org2.chat.test',
    realm_bot_domain: 'org2.chat.test',
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  })
  expect(state).not.toHaveProperty('emojiset')
})

test('what is fetched may differ from what is heard', async () => {
  const { owner } = await organization()
  const client = await owner.register({ event_types: [], fetch_event_types: ['realm_user'] })
  expect(client.state.realm_users).toHaveLength(1)
  await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'unheard' })
  expect(await client.events()).toEqual([])

  const everything = await owner.post('/register', { event_types: 'null', fetch_event_types: 'null' })
  expect(everything.body).toHaveProperty('realm_users')
  expect(everything.body).toHaveProperty('subscriptions')
})

test('clients that do not know user_settings find settings at the top', async () => {
  const { owner } = await organization()
  const { body } = await owner.post('/register')
  expect(body).toMatchObject({
    emojiset: 'google',
    timezone: '',
    notification_sound: 'zulip',
    enter_sends: false,
  })
  expect(body.available_notification_sounds).toContain(body.notification_sound)
  expect(body.user_settings).toMatchObject({ emojiset: 'google', timezone: '', web_home_view: 'inbox' })
  expect(body).not.toHaveProperty('web_font_size_px')
})

test('what is wrong is refused', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const refused: [params: object, msg: string, by?: Person][] = [
    [{ event_types: 'message' }, 'event_types is not valid JSON'],
    [{ event_types: [null] }, 'event_types[0] is not a string'],
    [{ include_subscribers: 'partial' }, 'include_subscribers is not valid JSON'],
    [{ narrow: [{ operator: 'channel', operand: 'general' }] }, 'narrow[0] is not a list'],
    [{ narrow: [['bogus', 'x']] }, 'Operator bogus not supported.'],
    [
      { client_capabilities: { notification_settings_null: 'x' } },
      'client_capabilities["notification_settings_null"] is not a boolean',
    ],
    [
      { client_capabilities: { bulk_message_deletion: true } },
      'client_capabilities["notification_settings_null"] field is missing: Field required',
    ],
    [{ client_capabilities: [] }, 'client_capabilities is not a dict'],
    [{ all_public_streams: true }, 'User not authorized for this query', guest],
  ]
  for (const [params, msg, by = org.owner] of refused) {
    const { status, body } = await by.post('/register', { ...params })
    expect({ status, body }).toEqual({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } })
  }
  expect((await org.visitor.post('/register')).status).toBe(401)
  const unknown = {
    client_capabilities: { ...everyCapability, something_new: true },
    event_types: ['nonsense'],
  }
  expect((await org.owner.post('/register', unknown)).status).toBe(200)
})

test('channels: subscribed, left, never; private and archived ones only for those who may know', async () => {
  const org = await organization()
  const member = await org.person()
  const guest = await org.person({ role: 'guest' })
  const open = await org.channel({ name: 'open', subscribers: [member, guest], isDefault: true })
  const secret = await org.channel({ name: 'secret', subscribers: [org.owner], isPrivate: true })
  const old = await org.channel({ name: 'old' })
  await org.log.commit(
    async (change) => void (await change.update('channel', { id: old.id, is_archived: true })),
  )

  const ids = (channels: { stream_id: number }[]) =>
    channels.map((one) => one.stream_id).sort((a, b) => a - b)
  const seen = async (person: Person, params = {}) => {
    const { state } = await person.register(params)
    const { subscriptions, unsubscribed, never_subscribed, streams, realm_default_streams } = state
    return {
      subscriptions: ids(subscriptions),
      left: ids(unsubscribed),
      never: ids(never_subscribed),
      all: ids(streams),
      byDefault: realm_default_streams,
    }
  }
  expect(await seen(member)).toEqual({
    ...{ subscriptions: [open.id], left: [], never: [old.id], all: [open.id, old.id], byDefault: [open.id] },
  })
  const unaware = { ...everyCapability, archived_channels: false }
  expect(await seen(member, { client_capabilities: unaware })).toMatchObject({ never: [], all: [open.id] })
  expect(await seen(guest)).toMatchObject({
    subscriptions: [open.id],
    never: [],
    all: [open.id],
    byDefault: [],
  })
  expect(await seen(org.owner)).toMatchObject({
    subscriptions: [secret.id],
    all: [open.id, secret.id, old.id],
  })

  const { state } = await member.register()
  expect(state.subscriptions[0]).toMatchObject({
    name: 'open',
    color: '#76ce90',
    subscribers: [member.id, guest.id],
    subscriber_count: 2,
    desktop_notifications: null,
  })
  expect(state.never_subscribed[0]).toMatchObject({ name: 'old', subscribers: [] })
  expect(state.streams[0]).not.toHaveProperty('color')
  const plain = await member.register({ include_subscribers: false, client_capabilities: undefined })
  expect(plain.state.subscriptions[0]).not.toHaveProperty('subscribers')
})

test('people: everybody sees their own address, and others as far as those allow', async () => {
  const org = await organization()
  const [shy, other] = [await org.person({ name: 'Shy' }), await org.person({ name: 'Other' })]
  const settings = { email_address_visibility: 4 }
  await org.log.commit(async (change) => void (await change.update('account', { id: shy.id, settings })))
  const address = async (viewer: Person, of: Person) => {
    const { state } = await viewer.register()
    expect(state.realm_users).toHaveLength(3)
    return state.realm_users.find((one: { user_id: number }) => one.user_id === of.id).delivery_email
  }
  for (const viewer of [other, org.owner]) expect(await address(viewer, shy)).toBeNull()
  expect(await address(shy, shy)).toBe(shy.email)
  expect(await address(other, shy)).toBeNull()
  expect(await address(shy, other)).toBe(other.email)
})

test('guests may be kept from knowing everybody', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const [known, unknown] = [await org.person({ name: 'Known' }), await org.person({ name: 'Unknown' })]
  await org.channel({ subscribers: [guest, known] })
  const settings = { can_access_all_users_group: org.group('role:members') }
  await org.log.commit(async (change) => void (await change.update('realm', { id: org.id, settings })))
  const people = async (capabilities: object) => {
    const { state } = await guest.register({ client_capabilities: { ...everyCapability, ...capabilities } })
    return state.realm_users.map((one: { user_id: number; full_name: string }) => [
      one.user_id,
      one.full_name,
    ])
  }
  expect(await people({})).toEqual([
    [guest.id, guest.name],
    [known.id, 'Known'],
  ])
  expect(await people({ user_list_incomplete: false })).toContainEqual([unknown.id, 'Unknown user'])
})

test('what is kept for many follows every change', async () => {
  const org = await organization()
  const member = await org.person({ name: 'Before' })
  const names = async () =>
    (await org.owner.register()).state.realm_users.map((one: { full_name: string }) => one.full_name)
  expect(await names()).toContain('Before')
  await org.owner.patch(`/users/${member.id}`, { full_name: 'After' })
  expect(await names()).toContain('After')
  expect(await names()).not.toContain('Before')

  const channel = await org.channel({ subscribers: [org.owner] })
  const subscribers = async () => {
    const { state } = await org.owner.register()
    const found = state.subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
    return [found.subscribers, found.subscriber_count, state.streams[0].subscriber_count]
  }
  expect(await subscribers()).toEqual([[org.owner.id], 1, 1])
  await member.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  expect(await subscribers()).toEqual([[org.owner.id, member.id], 2, 2])
})

test('max_message_id is the newest message one has received, also of a channel one has left', async () => {
  const org = await organization()
  const member = await org.person()
  const channel = await org.channel({ subscribers: [org.owner, member] })
  const secret = await org.channel({ subscribers: [org.owner], isPrivate: true })
  const send = async (to: string) => {
    const { body } = await org.owner.post('/messages', { type: 'channel', to, topic: 'a', content: 'hello' })
    return body.id as number
  }
  const newest = async () => (await fetched(member, ['message'])).max_message_id
  expect(await newest()).toBe(-1)
  const first = await send(channel.name)
  await send(secret.name)
  expect(await newest()).toBe(first)
  await member.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await send(channel.name)
  expect(await newest()).toBe(first)
  const { body } = await org.owner.post('/messages', { type: 'direct', to: [member.id], content: 'hello' })
  expect(await newest()).toBe(body.id)
})

test('a client that only wants messages waits for nothing but its own queue', async () => {
  const { owner } = await organization()
  await owner.register({ event_types: ['message'] })
  const busy = new pg.Client({ connectionString: here.databaseUrl })
  await busy.connect()
  try {
    await busy.query('BEGIN')
    await busy.query('LOCK realm, realm_head, event_log, account, message, read_state, subscription, channel')
    const client = await owner.register({ event_types: ['message'] })
    expect(client.state).toMatchObject({ max_message_id: -1 })
  } finally {
    await busy.end()
  }
})

test('a long answer is compressed for whoever takes that', async () => {
  const { owner } = await organization()
  const raw = await owner.raw({
    method: 'POST',
    path: '/api/v1/register',
    headers: { 'accept-encoding': 'br, gzip;q=0.8' },
  })
  expect(raw.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(raw.body).toMatchObject({ result: 'success', user_id: owner.id })
  for (const coding of ['identity', 'gzip;q=0']) {
    const plain = await owner.raw({
      method: 'POST',
      path: '/api/v1/register',
      headers: { 'accept-encoding': coding },
    })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.body).toMatchObject({ result: 'success' })
  }
})

test('parameters that mean nothing are named at the end of the answer', async () => {
  const { owner } = await organization()
  const { body } = await owner.post('/register', { idle_queue_timeout: 'mobile', event_types: ['message'] })
  expect(body.ignored_parameters_unsupported).toEqual(['idle_queue_timeout'])
})

test('the table of emoji is where the answer says, for everybody', async () => {
  const org = await organization()
  const { server_emoji_data_url } = await fetched(org.owner, ['realm'])
  const url = new URL(server_emoji_data_url as string)
  expect(url.host).toBe(org.place.host)
  const { status, headers, body } = await org.visitor.raw({ method: 'GET', path: url.pathname })
  expect(status).toBe(200)
  expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/)
  expect(body.code_to_names['1f44d']).toContain('thumbs_up')
})

test('whatever is going on, the state and the events that follow lead to the new state', async () => {
  const org = await organization()
  const people = [org.owner, await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ name: 'busy', subscribers: people })
  const second = { ...(await anotherNode()), host: org.place.host }
  let isOver = false
  const writing = Promise.all([talk(org, people, () => isOver), come(org, people[1]!, () => isOver)])
  const clients = []
  for (let round = 0; round < 12; round++) {
    const person = people[round % people.length]!
    clients.push(await (round % 3 === 2 ? person.at(second) : person).register())
  }
  isOver = true
  await writing
  expect(new Set(clients.map((client) => client.state.last_event_id)).size).toBeGreaterThan(6)
  for (const client of clients) await client.expectStateToMatch()
  expect(clients.at(-1)!.state.streams.map((one: { name: string }) => one.name)).toContain(channel.name)
}, 60_000)

/** Messages to the channel and to each other. */
async function talk({ owner }: Organization, people: Person[], isOver: () => boolean) {
  for (let i = 0; !isOver(); i++) {
    const sender = people[i % people.length]!
    await sender.post('/messages', { type: 'channel', to: 'busy', topic: `topic ${i % 5}`, content: `${i}` })
    await owner.post('/messages', {
      type: 'direct',
      to: people.slice(0, 1 + (i % 4)).map((one) => one.id),
      content: 'x',
    })
  }
}

/** Somebody comes and goes, and channels begin. */
async function come({ owner }: Organization, person: Person, isOver: () => boolean) {
  for (let i = 0; !isOver(); i++) {
    await person.delete('/users/me/subscriptions', { subscriptions: ['busy'] })
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: `new ${i % 10}` }],
      principals: [person.id],
    })
    await person.post('/users/me/subscriptions', { subscriptions: [{ name: 'busy' }] })
    await owner.patch(`/users/${person.id}`, { full_name: `Person ${i}` })
  }
}
