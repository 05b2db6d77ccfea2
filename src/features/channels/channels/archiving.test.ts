import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'

const { organization } = sharedServer()

const oldClient = { client_capabilities: { notification_settings_null: true } }

test('clients that know of archiving receive it; others lose the channel and get it back', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person(), await org.person(), await org.person()]
  const secret = await org.channel({ isPrivate: true, subscribers: [ann, bob] })
  const clients = { ann: await ann.register(), bob: await bob.register(oldClient) }
  const outsider = await carol.register()
  expect((await org.owner.delete(`/streams/${secret.id}`)).body).toEqual({ result: 'success', msg: '' })
  expect(await clients.ann.news()).toMatchObject([
    { type: 'stream', op: 'update', stream_id: secret.id, property: 'is_archived', value: true },
  ])
  const lost = (await clients.bob.news())[0]!
  expect(lost).toMatchObject({ type: 'stream', op: 'delete', stream_ids: [secret.id] })
  expect(Object.keys(lost).sort()).toEqual(['id', 'op', 'stream_ids', 'streams', 'type'])
  for (const client of Object.values(clients)) await client.expectStateToMatch()
  expect((await ann.get(`/streams/${secret.id}`)).body.msg).toBe('Invalid channel ID')

  await org.owner.patch(`/streams/${secret.id}`, { is_archived: false })
  expect(await clients.ann.news()).toMatchObject([{ property: 'is_archived', value: false }])
  expect(await clients.bob.news()).toMatchObject([
    { op: 'create', streams: [{ stream_id: secret.id, is_archived: false }] },
    { op: 'peer_add', user_ids: [ann.id, bob.id] },
    { op: 'add', subscriptions: [{ stream_id: secret.id, subscriber_count: 2, color: '#76ce90' }] },
  ])
  for (const client of Object.values(clients)) await client.expectStateToMatch()
  expect(await outsider.events()).toEqual([])
})

test('clients that do not know of archiving get a channel back with the settings of their users', async () => {
  const org = await organization()
  const settings = [
    { color: '#112233' },
    { color: '#112233', push_notifications: true },
    { color: '#112233', push_notifications: false },
    { color: '#332211', is_muted: true },
    { color: '#112233', email_notifications: true },
  ]
  const people = await Promise.all(settings.map(() => org.person()))
  const [left, gone] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [...people, left, gone] })
  for (const [i, person] of people.entries()) {
    const changes = Object.entries(settings[i]!).map(([property, value]) => ({
      stream_id: channel.id,
      property,
      value,
    }))
    await person.post('/users/me/subscriptions/properties', { subscription_data: changes })
  }
  await left.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await org.owner.delete(`/users/${gone.id}`)
  const clients = await Promise.all(people.map((person) => person.register(oldClient)))
  const outsider = await left.register(oldClient)
  await org.owner.delete(`/streams/${channel.id}`)
  await org.owner.patch(`/streams/${channel.id}`, { is_archived: false })
  for (const [i, client] of clients.entries()) {
    const added = (await client.news()).filter(({ op }) => op === 'add')
    expect(added).toMatchObject([{ subscriptions: [{ stream_id: channel.id, ...settings[i] }] }])
    expect(added[0]!.subscriptions[0].subscribers).toEqual(
      people.map(({ id }) => id).toSorted((a, b) => a - b),
    )
    await client.expectStateToMatch()
  }
  expect((await outsider.news()).map(({ op }) => op)).not.toContain('add')
})

test('subscribers receive the notices: of archiving as read, of unarchiving as unread', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ name: 'old', subscribers: [ann, org.owner] })
  const clients = [await ann.register(), await org.owner.register()] as const
  await org.owner.delete(`/streams/${channel.id}`)
  await org.owner.patch(`/streams/${channel.id}`, { is_archived: false })
  const heard = await Promise.all(clients.map((client) => client.events()))
  const messages = heard.map((events) => events.filter(({ type }) => type === 'message'))
  expect(messages[0]).toMatchObject([
    {
      flags: ['read'],
      message: { subject: 'channel events', content: '<p>Channel old has been archived.</p>' },
    },
    { flags: [], message: { content: '<p>Channel old un-archived.</p>' } },
  ])
  expect(messages[1]).toMatchObject([{ flags: ['read'] }, { flags: [] }])
  const unread = (await ann.register()).state.unread_msgs.streams
  expect(unread).toMatchObject([{ unread_message_ids: [messages[0]![1]!.message.id] }])
  for (const client of clients) await client.expectStateToMatch()
})

test('the notice is read for all of very many subscribers, also for a client that registers meanwhile', async () => {
  const org = await organization()
  const crowd = await org.crowd(messageLimits.readersPerStep)
  // She comes after the others, who are in the order of their ids.
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [org.owner] })
  const subscriptions = [{ name: channel.name }]
  await org.owner.post('/users/me/subscriptions', { subscriptions, principals: crowd })
  await ann.post('/users/me/subscriptions', { subscriptions })
  const client = await ann.register()
  await org.owner.delete(`/streams/${channel.id}`)
  const events = await client.events()
  expect(events.find(({ type }) => type === 'message')).toMatchObject({ flags: ['read'] })
  expect(events.at(-1)).toMatchObject({ type: 'update_message_flags', op: 'add', flag: 'read' })
  await client.expectStateToMatch()
  await org.owner.patch(`/streams/${channel.id}`, { is_archived: false })
  const { streams } = (await ann.register()).state.unread_msgs
  expect(streams.map(({ unread_message_ids: ids }: { unread_message_ids: number[] }) => ids.length)).toEqual([
    1,
  ])
})

test('an archived channel is no longer a default channel, and stays so after unarchiving', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ isDefault: true })
  const client = await ann.register()
  await org.owner.delete(`/streams/${channel.id}`)
  expect(await client.events()).toMatchObject([
    { type: 'default_streams', default_streams: [] },
    { property: 'is_archived', value: true },
  ])
  const quiet = await org.owner.patch(`/streams/${channel.id}`, { description: 'gone', is_archived: true })
  expect(quiet.body.result).toBe('success')
  expect(await client.events()).toMatchObject([{ property: 'description', value: 'gone' }])
  await client.expectStateToMatch()
})

test('channels that cannot be archived or unarchived are refused', async () => {
  const org = await organization()
  const ann = await org.person()
  const [open, empty] = [await org.channel(), await org.channel({ isPrivate: true })]
  const archive = async (id: number, person = org.owner) => (await person.delete(`/streams/${id}`)).body.msg
  const restore = async (id: number) =>
    (await org.owner.patch(`/streams/${id}`, { is_archived: false })).body.msg
  expect(await archive(open.id, ann)).toBe('You do not have permission to administer this channel.')
  expect(await archive(empty.id, ann)).toBe('Invalid channel ID')
  expect(await archive(99_999)).toBe('Invalid channel ID')
  expect(await restore(open.id)).toBe('Channel is not currently deactivated')
  for (const { id } of [open, empty]) expect(await archive(id)).toBe('')
  expect(await archive(open.id)).toBe('Channel is already deactivated')
  expect(await restore(empty.id)).toBe('Channel is private and have no subscribers')
})

test('former subscribers of an archived channel still list its topics', async () => {
  const org = await organization()
  const [ann, guest, other] = [await org.person(), await org.person({ role: 'guest' }), await org.person()]
  const channel = await org.channel({ subscribers: [ann, guest] })
  const secret = await org.channel({ isPrivate: true, subscribers: [ann] })
  for (const { id } of [channel, secret]) {
    await ann.post('/messages', { type: 'channel', to: id, topic: 'last', content: 'x' })
    await org.owner.delete(`/streams/${id}`)
  }
  const topics = async (person: Person, { id }: { id: number }) => {
    const { body } = await person.get(`/users/me/${id}/topics`)
    return body.topics?.map(({ name }: { name: string }) => name) ?? body.msg
  }
  for (const person of [ann, guest, other]) {
    expect(await topics(person, channel)).toEqual(['channel events', 'last'])
  }
  expect(await topics(ann, secret)).toEqual(['channel events', 'last'])
  for (const person of [guest, other]) expect(await topics(person, secret)).toBe('Invalid channel ID')
})

test('clients that do not know of archiving hear nothing of subscriptions to archived channels', async () => {
  const org = await organization()
  const ben = await org.person()
  const channel = await org.channel({ name: 'attic', subscribers: [ben] })
  await org.owner.delete(`/streams/${channel.id}`)
  const old = await ben.register(oldClient)
  const client = await ben.register()

  await ben.post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.id, property: 'pin_to_top', value: true }],
  })
  await org.owner.patch(`/streams/${channel.id}`, { description: 'Things' })
  await ben.delete('/users/me/subscriptions', { subscriptions: ['attic'] })

  expect((await client.news()).map(({ type, op }) => `${type} ${op}`)).toEqual([
    'subscription update',
    'stream update',
    'subscription remove',
  ])
  // Such clients get this one from the reference server, too.
  expect((await old.news()).map(({ type, op }) => `${type} ${op}`)).toEqual(['stream update'])
  for (const one of [client, old]) await one.expectStateToMatch()
})

test('an archived channel is no longer that of announcements and reports, also when it is unarchived', async () => {
  const org = await organization()
  const [ann, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const [news, other] = [await org.channel({ subscribers: [ann] }), await org.channel()]
  const desk = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  const names = ['new_stream', 'signup', 'zulip_update'].map((name) => `${name}_announcements_stream_id`)
  for (const name of names) await org.owner.patch('/realm', { [name]: news.id })
  await org.owner.patch('/realm', { moderation_request_channel_id: desk.id })
  const clients = [await ann.register(), await guest.register(oldClient)]
  await org.owner.delete(`/streams/${other.id}`)
  for (const { id } of [news, desk]) await org.owner.delete(`/streams/${id}`)
  await org.owner.patch(`/streams/${news.id}`, { is_archived: false })
  const unset = Object.fromEntries(names.map((name) => [name, -1]))
  for (const client of clients) {
    expect((await client.events()).filter(({ type }) => type === 'realm')).toMatchObject([
      { op: 'update_dict', property: 'default', data: unset },
      { op: 'update_dict', property: 'default', data: { moderation_request_channel_id: -1 } },
    ])
    await client.expectStateToMatch()
  }
  const { state } = await ann.register()
  for (const name of [...names, 'moderation_request_channel_id']) expect(state[`realm_${name}`]).toBe(-1)
  const { stream_id } = (await ann.get('/streams')).body.streams[0]
  expect((await org.owner.patch('/realm', { signup_announcements_stream_id: stream_id })).body.result).toBe(
    'success',
  )
})
