import { expect, test } from 'vitest'
import { everyCapability, type Wire } from '../../../../test/client.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('channels: subscribed, left, never; private and archived ones only for permitted users', async () => {
  const org = await organization()
  const member = await org.person()
  const guest = await org.person({ role: 'guest' })
  const open = await org.channel({ name: 'open', subscribers: [member, guest], isDefault: true })
  const secret = await org.channel({ name: 'secret', subscribers: [org.owner], isPrivate: true })
  const old = await org.channel({ name: 'old' })
  await org.owner.delete(`/streams/${old.id}`)

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

test('users: all see their own address, and those of others as far as these allow', async () => {
  const org = await organization()
  const [shy, other] = [await org.person({ name: 'Shy' }), await org.person({ name: 'Other' })]
  await shy.patch('/settings', { email_address_visibility: 4 })
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

test('an organization may hide users from guests', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const [known, unknown] = [await org.person({ name: 'Known' }), await org.person({ name: 'Unknown' })]
  await org.channel({ subscribers: [guest, known] })
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
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

test('shared caches follow every change', async () => {
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
  await org.owner.delete(`/users/${member.id}`)
  expect(await subscribers()).toEqual([[org.owner.id], 1, 1])
  await org.owner.post(`/users/${member.id}/reactivate`)
  expect(await subscribers()).toEqual([[org.owner.id, member.id], 2, 2])
  await org.owner.delete('/users/me/subscriptions', {
    subscriptions: [channel.name],
    principals: [member.id],
  })
  expect(await subscribers()).toEqual([[org.owner.id], 1, 1])
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel.name }],
    principals: [member.id],
  })
  expect(await subscribers()).toEqual([[org.owner.id, member.id], 2, 2])
  const only = { direct_members: [org.owner.id], direct_subgroups: [] }
  await org.owner.patch(`/streams/${channel.id}`, { can_send_message_group: { new: only } })
  const { state } = await org.owner.register()
  expect(state.streams[0].can_send_message_group).toEqual(only)
})

test('users who subscribe later receive a channel’s first message id, which disappears with the message', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const firsts = async () => {
    const { state } = await org.owner.register()
    const lists = [state.subscriptions, state.streams]
    return lists.map((list) => list.find((one: Wire) => one.stream_id === channel.id).first_message_id)
  }
  expect(await firsts()).toEqual([null, null])
  const message = { type: 'channel', to: channel.id, topic: 'x', content: 'first' }
  const { id } = (await org.owner.post('/messages', message)).body
  expect(await firsts()).toEqual([id, id])
  await org.owner.delete(`/messages/${id}`)
  expect(await firsts()).toEqual([null, null])
})
