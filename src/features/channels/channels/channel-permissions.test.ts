import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { channelPermissions } from '../../kernel/groups/permission-settings.ts'

const { organization } = sharedServer()

function update(person: Person, channel: { id: number }, params: Record<string, unknown>) {
  return person.patch(`/streams/${channel.id}`, params)
}

test('every permission can be changed, with an event', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const client = await ann.register()
  const value = { direct_members: [ann.id], direct_subgroups: [org.group('role:moderators')] }
  for (const name of Object.keys(channelPermissions)) {
    const { body } = await update(org.owner, channel, { [name]: { new: value } })
    expect(body).toMatchObject({ result: 'success' })
    expect(await client.news()).toMatchObject([{ op: 'update', property: name, value }])
  }
  await client.expectStateToMatch()
})

test('the post policy is also sent in the old form, and in a notice', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const client = await ann.register({ apply_markdown: false })
  await update(org.owner, channel, { can_send_message_group: { new: org.group('role:administrators') } })
  const events = await client.events()
  expect(events).toMatchObject([
    { property: 'can_send_message_group', value: org.group('role:administrators') },
    { property: 'stream_post_policy', value: 2 },
    { property: 'is_announcement_only', value: true },
    { type: 'message' },
  ])
  expect(events[3]!.message.content).toBe(
    `@_**Owner|${org.owner.id}** changed the posting permissions for this channel:\n\n` +
      '* **Old**: @_*role:everyone*\n* **New**: @_*role:administrators*',
  )
  await client.expectStateToMatch()
})

test('a value that was not expected is not changed; nor is the same value', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ creator: ann })
  const client = await org.owner.register()
  const set = async (update_: unknown) =>
    (await update(org.owner, channel, { can_administer_channel_group: update_ })).body
  const anns = { direct_members: [ann.id], direct_subgroups: [] }
  const [members, nobody] = [org.group('role:members'), org.group('role:nobody')]
  expect(await set({ new: members, old: nobody })).toMatchObject({
    code: 'EXPECTATION_MISMATCH',
    msg: "'old' value does not match the expected value.",
  })
  expect((await set({ new: { ...anns, direct_members: [ann.id, ann.id] } })).result).toBe('success')
  expect(await client.events()).toEqual([])
  expect((await set({ new: { direct_members: [], direct_subgroups: [] }, old: anns })).result).toBe('success')
  expect(await client.news()).toMatchObject([{ value: nobody }])
  expect((await set({ new: org.group('role:everyone') })).msg).toBe(
    "'can_administer_channel_group' setting cannot be set to 'role:everyone' group.",
  )
  expect((await set({ new: { direct_members: [99_999], direct_subgroups: [] } })).msg).toBe(
    'Invalid user ID: 99999',
  )
  expect((await set({ new: 99_999 })).msg).toBe('Invalid user group')
  expect((await set(5)).result).toBe('error')
})

test('a channel’s administrators change its rules on deleting; for a new channel it takes a permission', async () => {
  const org = await organization()
  const [ann, moderator] = [await org.person(), await org.person({ role: 'moderator' })]
  const permissions = {
    can_administer_channel_group: { direct_members: [ann.id], direct_subgroups: [] },
  }
  const channel = await org.channel({ permissions })
  for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
    const set = async (person: Person, group: number) =>
      (await update(person, channel, { [name]: { new: group } })).body.msg
    expect(await set(moderator, org.group('role:members'))).toContain('do not have permission')
    expect(await set(ann, org.group('role:members'))).toBe('')
    expect(await set(org.owner, org.group('role:everyone'))).toBe('')
    const create = async (person: Person, group: number) => {
      const subscriptions = [{ name: `${name} ${person.id} ${group}` }]
      return (await person.post('/users/me/subscriptions', { subscriptions, [name]: group })).body.msg
    }
    expect(await create(ann, org.group('role:members'))).toBe('Insufficient permission')
    expect(await create(ann, org.group('role:nobody'))).toBe('')
    expect(await create(moderator, org.group('role:members'))).toBe('')
  }
})

test('users who may not read a private channel change who may unsubscribe others, and no other permission', async () => {
  const org = await organization()
  const [admin, ann] = [await org.person({ role: 'administrator' }), await org.person()]
  const permissions = {
    can_administer_channel_group: { direct_members: [ann.id], direct_subgroups: [] },
  }
  const [closed, open] = [
    await org.channel({ isPrivate: true, permissions }),
    await org.channel({ permissions }),
  ]
  const inside = await org.channel({ isPrivate: true, subscribers: [admin, ann], permissions })
  const change = { new: org.group('role:administrators') }
  for (const person of [admin, ann]) {
    for (const name of Object.keys(channelPermissions)) {
      const msg = async (channel: { id: number }) =>
        (await update(person, channel, { [name]: change })).body.msg
      const refused = name === 'can_remove_subscribers_group' ? '' : 'Channel content access is required.'
      const [before] = [org.state.channels.get(closed.id)]
      expect([name, await msg(closed)]).toEqual([name, refused])
      if (refused) expect(org.state.channels.get(closed.id)).toBe(before)
      for (const channel of [open, inside]) {
        if (name === 'can_administer_channel_group') continue
        expect([name, await msg(channel)]).toEqual([name, ''])
      }
    }
  }
})

test('a user who may read a private channel through a permission sees it as long as they hold it', async () => {
  const org = await organization()
  const [ann, bob, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  const clients = [await ann.register(), await bob.register(), await guest.register()] as const
  const everybody = { direct_members: [ann.id, guest.id], direct_subgroups: [] }
  for (const name of ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group']) {
    await update(org.owner, channel, { [name]: { new: everybody } })
    expect(await clients[0].news()).toMatchObject([
      { op: 'create', streams: [{ stream_id: channel.id, [name]: everybody }] },
      { op: 'peer_add', user_ids: [org.owner.id] },
    ])
    for (const client of clients) await client.expectStateToMatch()
    await update(org.owner, channel, { [name]: { new: org.group('role:nobody') } })
    expect(await clients[0].news()).toMatchObject([{ op: 'delete', stream_ids: [channel.id] }])
    for (const client of clients) await client.expectStateToMatch()
  }
  for (const client of clients.slice(1)) expect(await client.events()).toEqual([])
})
