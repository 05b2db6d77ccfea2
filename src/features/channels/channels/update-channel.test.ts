import { expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

function update(person: Person, channel: { id: number }, params: Record<string, unknown>) {
  return person.patch(`/streams/${channel.id}`, params)
}

async function notices(client: Client) {
  const messages = (await client.events()).filter((event) => event.type === 'message')
  return messages.map(({ message }) => message.content)
}

test('a channel gets a new name and description, and all users who may see it are notified', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ name: 'Denmark', subscribers: [ann] })
  const clients = [await ann.register({ apply_markdown: false }), await org.owner.register()] as const
  const outsider = await guest.register()
  const { body } = await update(org.owner, channel, {
    new_name: ' Norway ',
    description: 'cold\nand **north**',
  })
  expect(body).toEqual({ result: 'success', msg: '' })
  const described = {
    type: 'stream',
    op: 'update',
    stream_id: channel.id,
    name: 'Denmark',
    property: 'description',
    value: 'cold and **north**',
    rendered_description: '<p>cold and <strong>north</strong></p>',
  }
  const renamed = { property: 'name', value: 'Norway', name: 'Denmark' }
  const heard = await clients[0].events()
  expect(heard.map(({ type }) => type)).toEqual(['stream', 'message', 'stream', 'message'])
  expect([heard[0], heard[2]]).toMatchObject([described, renamed])
  const me = `@_**Owner|${org.owner.id}**`
  expect(heard[1]!.message).toMatchObject({ subject: 'channel events', display_recipient: 'Norway' })
  expect(heard[1]!.message.content).toBe(
    `${me} changed the description for this channel.\n\n* **Old description:**\n` +
      '```` quote\n*No description.*\n````\n* **New description:**\n```` quote\ncold and **north**\n````',
  )
  expect(heard[3]!.message.content).toBe(`${me} renamed channel **Denmark** to **Norway**.`)
  expect(await clients[1].news()).toMatchObject([described, renamed])
  expect(await outsider.events()).toEqual([])
  for (const client of [...clients, outsider]) await client.expectStateToMatch()
})

test('names are validated, and values that already hold are not written', async () => {
  const org = await organization()
  const [one, two] = [await org.channel({ name: 'one' }), await org.channel({ name: 'two' })]
  const client = await org.owner.register()
  const msg = async (new_name: string) => (await update(org.owner, one, { new_name })).body.msg
  expect(await msg('TWO')).toBe('Channel name is already in use.')
  expect(await msg('one')).toBe('Channel already has that name.')
  expect(await msg('  ')).toBe("Channel name can't be empty.")
  expect(await msg('x'.repeat(61))).toBe('Channel name too long (limit: 60 characters).')
  expect(await msg('One')).toBe('')
  await update(org.owner, two, {
    description: '',
    topics_policy: 'inherit',
    folder_id: null,
    message_retention_days: JSON.stringify('realm_default'),
    can_send_message_group: { new: org.group('role:everyone') },
  })
  expect(await client.events()).toMatchObject([{ property: 'name', value: 'One' }])
})

test('users who do not administer a channel are refused; users who may not see it learn nothing', async () => {
  const org = await organization()
  const [ann, creator, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const open = await org.channel({ subscribers: [ann], creator })
  const secret = await org.channel({ isPrivate: true, creator: ann })
  const msg = async (person: Person, channel: { id: number }, params: Record<string, unknown> = {}) =>
    (await update(person, channel, { description: 'x', ...params })).body.msg
  expect(await msg(ann, open)).toBe('You do not have permission to administer this channel.')
  expect(await msg(creator, secret)).toBe('Invalid channel ID')
  expect(await msg(guest, open)).toBe('Invalid channel ID')
  expect(await msg(ann, { id: 99_999 })).toBe('Invalid channel ID')
  expect(await msg(creator, open)).toBe('')
  expect(await msg(creator, open, { is_default_stream: true })).toBe(
    'You do not have permission to change default channels.',
  )
  const content = 'Channel content access is required.'
  expect(await msg(org.owner, secret, { is_private: false })).toBe(content)
  const members = { new: org.group('role:members') }
  expect(await msg(org.owner, secret, { can_add_subscribers_group: members })).toBe(content)
  expect(await msg(org.owner, secret, { can_subscribe_group: members })).toBe(content)
  expect(await msg(org.owner, secret, { can_send_message_group: members })).toBe(content)
  expect(await msg(org.owner, secret, { can_remove_subscribers_group: members })).toBe('')
})

test('all changes are made, or none', async () => {
  const org = await organization()
  const channel = await org.channel({ name: 'whole' })
  const client = await org.owner.register()
  await update(org.owner, channel, { description: 'new', new_name: 'other', folder_id: 99_999 })
  expect(await client.events()).toEqual([])
  expect(org.state.channels.get(channel.id)).toMatchObject({ name: 'whole', description: '' })
})

test('a channel that becomes private disappears for other users, and comes back to them', async () => {
  const org = await organization()
  const [ann, bob, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ subscribers: [ann, org.owner, guest] })
  const clients = {
    ann: await ann.register(),
    bob: await bob.register(),
    owner: await org.owner.register(),
    guest: await guest.register(),
  }
  await update(org.owner, channel, { is_private: true })
  const closed = {
    property: 'invite_only',
    value: true,
    history_public_to_subscribers: false,
    is_web_public: false,
  }
  for (const one of [clients.ann, clients.owner, clients.guest])
    expect(await one.news()).toMatchObject([closed])
  expect(await clients.bob.news()).toMatchObject([{ op: 'delete', stream_ids: [channel.id] }])
  expect((await bob.get(`/streams/${channel.id}`)).body.msg).toBe('Invalid channel ID')
  for (const one of Object.values(clients)) await one.expectStateToMatch()
  await update(org.owner, channel, { is_private: false })
  expect(await clients.bob.news()).toMatchObject([
    { op: 'create', streams: [{ stream_id: channel.id, invite_only: false, subscriber_count: 0 }] },
    { op: 'peer_add', stream_ids: [channel.id], user_ids: [org.owner.id, ann.id, guest.id] },
  ])
  expect(await clients.ann.news()).toMatchObject([{ property: 'invite_only', value: false }])
  for (const one of Object.values(clients)) await one.expectStateToMatch()
})

test('history stays protected when a channel becomes private, unless the request shares it', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner] })
  const say = async () =>
    (await org.owner.post('/messages', { type: 'stream', to: channel.id, topic: 't', content: 'x' })).body.id
  const before = await say()
  const sees = async (person: Person, id: number) => (await person.get(`/messages/${id}`)).body.result
  expect(await sees(ann, before)).toBe('success')
  await update(org.owner, channel, { is_private: true })
  expect(await sees(ann, before)).toBe('error')
  const join = (person: Person) =>
    org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: [person.id],
    })
  await join(ann)
  expect(await sees(ann, before)).toBe('error')
  expect(await sees(ann, await say())).toBe('success')
  await update(org.owner, channel, { history_public_to_subscribers: true })
  expect(await sees(ann, before)).toBe('success')
  expect(await sees(bob, before)).toBe('error')
})

test('invalid combinations are refused', async () => {
  const org = await organization()
  const channel = await org.channel({ isDefault: true })
  const msg = async (params: Record<string, unknown>) => (await update(org.owner, channel, params)).body.msg
  expect(await msg({ is_private: true })).toBe('A default channel cannot be private.')
  expect(await msg({ history_public_to_subscribers: false })).toBe('Invalid parameters')
  expect(await msg({ is_default_stream: false, is_private: true, is_web_public: true })).toBe(
    'Invalid parameters',
  )
  expect(await msg({ is_web_public: true })).toBe('Web-public channels are not enabled.')
  const reports = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  await org.owner.patch('/realm', { moderation_request_channel_id: reports.id })
  const { body } = await update(org.owner, reports, { is_private: false })
  expect(body.msg).toBe('Moderation request channel must be private.')
})

test('all users except guests receive default channels', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ subscribers: [guest] })
  const clients = [await ann.register(), await guest.register()] as const
  await update(org.owner, channel, { is_default_stream: true })
  await update(org.owner, channel, { is_default_stream: false })
  expect(await clients[0].events()).toMatchObject([
    { type: 'default_streams', default_streams: [channel.id] },
    { type: 'default_streams', default_streams: [] },
  ])
  expect(await clients[1].events()).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('administrators of the organization choose how long messages are kept', async () => {
  const org = await organization()
  const [ann, admin] = [await org.person(), await org.person({ role: 'administrator' })]
  const channel = await org.channel({ subscribers: [ann] })
  const client = await ann.register({ apply_markdown: false })
  const anns = { direct_members: [ann.id], direct_subgroups: [] }
  await update(org.owner, channel, { can_administer_channel_group: { new: anns } })
  await client.events()
  for (const days of [5, 0, 'forever']) {
    const sent = { message_retention_days: JSON.stringify(days) }
    expect((await update(ann, channel, sent)).body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  }
  for (const days of [0, 2 ** 31]) {
    const { body } = await update(org.owner, channel, { message_retention_days: days })
    expect(body.msg).toBe(`Bad value for 'message_retention_days': ${days}`)
    const subscriptions = [{ name: 'another' }]
    const made = await org.owner.post('/users/me/subscriptions', {
      subscriptions,
      message_retention_days: days,
    })
    expect(made.body).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', bad_value: days })
  }
  await update(admin, channel, { message_retention_days: 30 })
  const texts = await notices(client)
  expect(texts[0]).toContain('* **Old retention period**: Forever\n* **New retention period**: 30 days\n')
  await update(org.owner, channel, { message_retention_days: JSON.stringify('unlimited') })
  await update(org.owner, channel, { message_retention_days: JSON.stringify('realm_default') })
  expect(await client.news()).toMatchObject([
    { value: -1 },
    { property: 'message_retention_days', value: null },
  ])
  await client.expectStateToMatch()
  for (const word of ['unlimited', 'realm_default']) {
    expect((await update(admin, channel, { message_retention_days: word })).body.result).toBe('success')
    const params = { subscriptions: [{ name: `kept ${word}` }], message_retention_days: `"${word}"` }
    expect((await org.owner.post('/users/me/subscriptions', params)).body.result).toBe('success')
  }
  expect((await update(admin, channel, { message_retention_days: 'ever' })).body.msg).toBe(
    'message_retention_days is not valid JSON',
  )
})

test('a topics policy needs a permission, and the empty-topic policy needs a channel without topics', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann], creator: ann })
  await org.owner.patch('/realm', { can_set_topics_policy_group: { new: org.group('role:moderators') } })
  const set = async (person: Person, topics_policy: string) =>
    (await update(person, channel, { topics_policy })).body
  expect((await set(ann, 'disable_empty_topic')).msg).toBe('Insufficient permission')
  expect((await set(org.owner, 'nonsense')).msg).toBe('Invalid topics_policy')
  const say = (topic: string) =>
    ann.post('/messages', { type: 'stream', to: channel.id, topic, content: 'x' })
  const { id } = (await say('t')).body
  expect(await set(org.owner, 'empty_topic_only')).toMatchObject({
    result: 'error',
    empty_topic_display_name: 'general chat',
  })
  await org.log.commit(async (change) => {
    await change.update('message', { id, topic: '' })
  })
  const client = await ann.register({ apply_markdown: false })
  expect((await set(org.owner, 'empty_topic_only')).result).toBe('success')
  expect((await set(ann, 'empty_topic_only')).result).toBe('success')
  expect((await say('t')).body.msg).toBe('Only the general chat topic is allowed in this channel.')
  await update(ann, channel, { new_name: 'flat' })
  const events = await client.events()
  expect(events).toMatchObject([
    { property: 'topics_policy', value: 'empty_topic_only' },
    { property: 'name' },
    { type: 'message', message: { subject: '' } },
  ])
  expect((await set(ann, 'inherit')).result).toBe('success')
  expect(await client.events()).toMatchObject([{ property: 'topics_policy', value: 'inherit' }])
  await client.expectStateToMatch()
})

test('a channel becomes only what its administrator may create', async () => {
  const org = await organization()
  const [ann, administrators] = [await org.person(), org.group('role:administrators')]
  const open = await org.channel({ creator: ann, subscribers: [ann] })
  const closed = await org.channel({ creator: ann, subscribers: [ann], isPrivate: true })
  const change = async (id: number, is_private: boolean) =>
    (await ann.patch(`/streams/${id}`, { is_private })).body.msg
  await org.owner.patch('/realm', { can_create_private_channel_group: { new: administrators } })
  expect(await change(open.id, true)).toBe('Insufficient permission')
  expect(await change(closed.id, true)).toBe('')
  await org.owner.patch('/realm', { can_create_public_channel_group: { new: administrators } })
  expect(await change(closed.id, false)).toBe('Insufficient permission')
})
