import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { type SystemGroup, systemGroups } from '../../kernel/groups/permission-settings.ts'

const { organization } = sharedServer()

/** Every setting, as in the API description: its default, whether it may be role:nobody and role:everyone. */
type Fact = [name: string, byDefault: string, nobody: boolean, everyone: boolean, only?: SystemGroup[]]

const upToModerators: SystemGroup[] = ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody']

const ofRealm: Fact[] = [
  ['can_access_all_users_group', 'role:everyone', false, true, ['role:everyone', 'role:members']],
  ['can_add_custom_emoji_group', 'role:members', true, false],
  ['can_add_subscribers_group', 'role:members', true, false],
  ['can_create_bots_group', 'role:members', true, false],
  ['can_create_write_only_bots_group', 'role:members', true, false],
  ['can_create_groups', 'role:members', true, false],
  ['can_manage_all_groups', 'role:owners', false, false],
  ['can_create_public_channel_group', 'role:members', true, false],
  ['can_create_private_channel_group', 'role:members', true, false],
  ['can_create_web_public_channel_group', 'role:owners', true, false, upToModerators],
  ['can_delete_any_message_group', 'role:administrators', true, false],
  ['can_delete_own_message_group', 'role:everyone', true, true],
  ['can_invite_users_group', 'role:members', true, false],
  ['create_multiuse_invite_group', 'role:administrators', true, false],
  ['can_manage_billing_group', 'role:administrators', false, false],
  ['can_mention_many_users_group', 'role:administrators', true, true],
  ['can_move_messages_between_channels_group', 'role:members', true, false],
  ['can_move_messages_between_topics_group', 'role:everyone', true, true],
  ['can_resolve_topics_group', 'role:everyone', true, true],
  ['can_set_topics_policy_group', 'role:members', true, true],
  ['can_set_delete_message_policy_group', 'role:moderators', true, false],
  ['can_summarize_topics_group', 'role:everyone', true, true],
  ['direct_message_initiator_group', 'role:everyone', true, true],
  ['direct_message_permission_group', 'role:everyone', true, true],
]

const forOwners = [
  'can_create_groups',
  'can_manage_all_groups',
  'can_invite_users_group',
  'create_multiuse_invite_group',
  'can_manage_billing_group',
]

const ofChannel: Fact[] = [
  ['can_add_subscribers_group', 'role:nobody', true, false],
  ['can_remove_subscribers_group', 'role:administrators', true, true],
  ['can_administer_channel_group', 'stream_creator_or_nobody', true, false],
  ['can_send_message_group', 'role:everyone', true, true],
  ['can_subscribe_group', 'role:nobody', true, false],
  ['can_move_messages_out_of_channel_group', 'role:nobody', true, true],
  ['can_move_messages_within_channel_group', 'role:nobody', true, true],
  ['can_resolve_topics_group', 'role:nobody', true, true],
  ['can_delete_any_message_group', 'role:nobody', true, true],
  ['can_delete_own_message_group', 'role:nobody', true, true],
]

const ofGroup: Fact[] = [
  ['can_manage_group', 'group_creator', true, false],
  ['can_add_members_group', 'group_creator', true, false],
  ['can_remove_members_group', 'role:nobody', true, false],
  ['can_join_group', 'role:nobody', true, false],
  ['can_leave_group', 'role:everyone', true, true],
  ['can_mention_group', 'role:everyone', true, true],
]

/** An object whose settings can be changed. */
type Subject = { path: string; manager: Person; org: Organization; value(name: string): Promise<unknown> }

async function realmSubject(): Promise<Subject> {
  const org = await organization()
  const value = async (name: string) => (await org.owner.register()).state[`realm_${name}`]
  return { path: '/realm', manager: org.owner, org, value }
}

async function channelSubject(): Promise<Subject> {
  const org = await organization()
  const creator = await org.person({ role: 'moderator' })
  await creator.post('/users/me/subscriptions', { subscriptions: [{ name: 'theirs' }] })
  const { id } = org.state.channelByName('theirs')!
  const value = async (name: string) => (await creator.get(`/streams/${id}`)).body.stream[name]
  return { path: `/streams/${id}`, manager: creator, org, value }
}

async function groupSubject(): Promise<Subject> {
  const org = await organization()
  const creator = await org.person()
  const made = await creator.post('/user_groups/create', { name: 'theirs', description: '', members: [] })
  const id = made.body.group_id
  const value = async (name: string) => {
    const { user_groups } = (await creator.get('/user_groups')).body
    return user_groups.find((group: { id: number }) => group.id === id)[name]
  }
  return { path: `/user_groups/${id}`, manager: creator, org, value }
}

const levels = [
  ['realm', ofRealm, realmSubject],
  ['stream', ofChannel, channelSubject],
  ['group', ofGroup, groupSubject],
] as const

test.each(levels)('clients are told of every setting of the level %s', async (level, facts) => {
  const org = await organization()
  const { state } = await org.owner.register()
  const expected = facts.map(([name, default_group_name, nobody, everyone, only]) => [
    name,
    {
      require_system_group: only !== undefined,
      allow_internet_group: false,
      allow_nobody_group: nobody,
      allow_everyone_group: everyone,
      default_group_name,
      default_for_system_groups: level === 'group' ? 'role:nobody' : null,
      allowed_system_groups: only ?? [],
    },
  ])
  expect(state.server_supported_permission_settings[level]).toEqual(Object.fromEntries(expected))
})

test.each(levels)('settings of the level %s have their defaults', async (_, facts, makeSubject) => {
  const { org, manager, value } = await makeSubject()
  for (const [name, byDefault] of facts) {
    const creator = { direct_members: [manager.id], direct_subgroups: [] }
    const isGroup = byDefault.startsWith('role:')
    expect([name, await value(name)]).toEqual([name, isGroup ? org.group(byDefault as SystemGroup) : creator])
  }
})

test.each(levels)(
  'settings of the level %s take the groups that they may be',
  async (_, facts, makeSubject) => {
    const { org, manager, path, value } = await makeSubject()
    for (const fact of facts) {
      const [name] = fact
      for (const group of systemGroups.map((group) => group.name)) {
        // A user who gives the administration away cannot take it back.
        if (/administer|manage_group/.test(name) && group !== 'role:internet' && group !== 'role:everyone')
          continue
        const { body } = await manager.patch(path, { [name]: { new: org.group(group) } })
        const refusal = `'${name}' setting cannot be set to '${group}' group.`
        expect([name, group, body.msg]).toEqual([name, group, mayBe(fact, group) ? '' : refusal])
        if (mayBe(fact, group)) expect(await value(name)).toBe(org.group(group))
      }
    }
  },
)

function mayBe([name, , nobody, everyone, only]: Fact, group: SystemGroup) {
  if (name === 'can_mention_group' && group === 'role:owners') return false
  if (group === 'role:internet' || only?.includes(group) === false) return false
  return (nobody || group !== 'role:nobody') && (everyone || group !== 'role:everyone')
}

test.each(levels)(
  'settings of the level %s take people and groups of people',
  async (_, facts, makeSubject) => {
    const { org, manager, path, value } = await makeSubject()
    const make = async (name: string): Promise<number> => {
      const { body } = await org.owner.post('/user_groups/create', { name, description: '', members: [] })
      return body.group_id
    }
    const [named, gone] = [await make('people'), await make('gone')]
    await org.owner.post(`/user_groups/${gone}/deactivate`)
    const mixed = { direct_members: [manager.id], direct_subgroups: [named] }
    for (const [name, , , , only] of facts) {
      const set = async (value: unknown) => (await manager.patch(path, { [name]: { new: value } })).body
      const refused = {
        code: 'SYSTEM_GROUP_REQUIRED',
        setting_name: name,
        msg: `'${name}' must be a system user group.`,
      }
      expect(await set(mixed)).toMatchObject(only ? refused : { result: 'success' })
      if (only) expect(await set(named)).toMatchObject(refused)
      else expect(await value(name)).toEqual(mixed)
      expect((await set(99_999)).msg).toBe('Invalid user group')
      expect((await set(gone)).msg).toBe('User group is deactivated.')
      if (only) continue
      const strange = [
        [{ direct_members: [99_999], direct_subgroups: [] }, 'Invalid user ID: 99999'],
        [{ direct_members: [], direct_subgroups: [named, 99_999] }, 'Invalid user group ID: 99999'],
        [{ direct_members: [], direct_subgroups: [named, gone] }, 'User group is deactivated.'],
      ] as const
      for (const [sent, msg] of strange) expect([name, (await set(sent)).msg]).toEqual([name, msg])
    }
  },
)

test.each(levels)('a setting of the level %s is not changed unawares', async (_, facts, makeSubject) => {
  const { org, manager, path, value } = await makeSubject()
  const client = await manager.register()
  for (const [name] of facts) {
    const current = await value(name)
    const stale = { new: current, old: org.group('role:fullmembers') }
    const refused = {
      code: 'EXPECTATION_MISMATCH',
      msg: "'old' value does not match the expected value.",
    }
    expect((await manager.patch(path, { [name]: stale })).body).toMatchObject(refused)
    const same = await manager.patch(path, { [name]: { new: current, old: current } })
    expect([name, same.body.msg]).toEqual([name, ''])
  }
  expect(await client.events()).toEqual([])
})

test('administrators change the organization’s permissions; owners those that affect membership', async () => {
  const { org, path } = await realmSubject()
  const [admin, moderator] = [
    await org.person({ role: 'administrator' }),
    await org.person({ role: 'moderator' }),
  ]
  for (const [name] of ofRealm) {
    const group = name === 'can_access_all_users_group' ? 'role:members' : 'role:administrators'
    const change = { [name]: { new: org.group(group) } }
    const asModerator = await moderator.patch(path, change)
    expect(asModerator.body.msg).toBe('Must be an organization administrator')
    const asAdmin = await admin.patch(path, change)
    const refusal = forOwners.includes(name) ? 'Must be an organization owner' : ''
    expect([name, asAdmin.body.msg]).toEqual([name, refusal])
    expect((await org.owner.patch(path, change)).body.msg).toBe('')
  }
})

test('channel administrators change a channel’s permissions', async () => {
  const { org, path } = await channelSubject()
  const [admin, member] = [await org.person({ role: 'administrator' }), await org.person()]
  const boss = await org.person()
  const bossAlone = { direct_members: [boss.id], direct_subgroups: [] }
  await admin.patch(path, { can_administer_channel_group: { new: bossAlone } })
  for (const [name] of ofChannel.filter(([name]) => name !== 'can_administer_channel_group')) {
    const change = { [name]: { new: org.group('role:moderators') } }
    const refusal = 'You do not have permission to administer this channel.'
    expect((await member.patch(path, change)).body.msg).toBe(refusal)
    const asBoss = await boss.patch(path, change)
    expect([name, asBoss.body.msg]).toEqual([name, ''])
    expect((await admin.patch(path, change)).body.msg).toBe('')
  }
})

test('only users who may read a private channel change its access permissions', async () => {
  const org = await organization()
  const ann = await org.person()
  const secret = await org.channel({ isPrivate: true, creator: ann, subscribers: [ann] })
  for (const [name] of ofChannel) {
    const { body } = await org.owner.patch(`/streams/${secret.id}`, {
      [name]: { new: org.group('role:owners') },
    })
    const isFree = name === 'can_remove_subscribers_group'
    expect([name, body.msg]).toEqual([name, isFree ? '' : 'Channel content access is required.'])
  }
})

test('a group’s managers change its permissions', async () => {
  const { org, path, manager } = await groupSubject()
  const [admin, owner] = [await org.person({ role: 'administrator' }), org.owner]
  for (const [name] of ofGroup.filter(([name]) => name !== 'can_manage_group')) {
    const change = (group: SystemGroup) => ({ [name]: { new: org.group(group) } })
    expect((await admin.patch(path, change('role:moderators'))).body.msg).toBe('Insufficient permission')
    expect((await manager.patch(path, change('role:moderators'))).body.msg).toBe('')
    expect((await owner.patch(path, change('role:administrators'))).body.msg).toBe('')
    const system = `/user_groups/${org.group('role:members')}`
    expect((await owner.patch(system, change('role:owners'))).body.msg).toBe('Insufficient permission')
  }
})

test('settings include a reactivated user again, and all users are notified', async () => {
  const { org, manager, path } = await channelSubject()
  const [ann, bob] = [await org.person(), await org.person()]
  const archived = await org.channel({ subscribers: [ann, bob] })
  await org.owner.delete(`/streams/${archived.id}`)
  const named = { direct_members: [ann.id, bob.id], direct_subgroups: [] }
  await manager.patch(path, { can_send_message_group: { new: named } })
  await org.owner.patch('/realm', { can_create_bots_group: { new: named } })
  const group = { name: 'g', description: '', members: [ann.id], can_join_group: named }
  await org.owner.post('/user_groups/create', group)
  const client = await bob.register()
  await org.owner.delete(`/users/${ann.id}`)
  await client.expectStateToMatch()
  await org.owner.post(`/users/${ann.id}/reactivate`)
  await client.expectStateToMatch()
  expect((await bob.register()).state.realm_can_create_bots_group).toEqual(named)
})
