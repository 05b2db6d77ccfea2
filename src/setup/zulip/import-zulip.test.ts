import { expect, test } from 'vitest'
import {
  channels,
  groups,
  ids,
  importedZulip,
  recipients,
  zulipBasics,
  zulipMessage,
  zulipUser,
} from '../../../test/imports/zulip.ts'
import type { Person } from '../../../test/person.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

test('people keep their ids, roles and settings', async () => {
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_userprofile: [
        ...zulipBasics.zerver_userprofile!,
        zulipUser(30, 'Mo', {
          role: 300,
          enter_sends: true,
          color_scheme: 2,
          web_font_size_px: -1,
          timezone: 'Mars',
        }),
        zulipUser(31, 'Admin', { role: 200 }),
        zulipUser(32, 'ben'),
        zulipUser(33, 'No*Form', { delivery_email: 'nowhere', email: '' }),
      ],
    },
  })
  expect(made).toMatchObject({ accounts: 11, owner: 'ann@example.com' })
  expect(made.leftOut).toEqual({ settings: 1, addressless: 1 })
  const ann = await as('ann')
  const { members } = (await ann.get('/users')).body
  const shown = (id: number) => members.find((user: { user_id: number }) => user.user_id === id)
  expect(shown(ids.ann)).toMatchObject({ full_name: 'Ann', role: 100, is_active: true })
  expect(shown(ids.ben)).toMatchObject({
    role: 400,
    timezone: 'Europe/Berlin',
    delivery_email: 'ben@example.com',
  })
  expect(shown(ids.gus)).toMatchObject({ role: 600, is_guest: true })
  expect(shown(30)).toMatchObject({ role: 300, timezone: '', date_joined: '2023-11-15T11:43+00:00' })
  expect(shown(31)).toMatchObject({ role: 200, is_admin: true })
  expect(shown(ids.gone)).toMatchObject({ is_active: false, role: 200 })
  expect(shown(ids.dummy)).toMatchObject({ is_active: false })
  expect(shown(32)).toMatchObject({ delivery_email: 'user32@zulip.example.com', is_active: true })
  expect(shown(33)).toMatchObject({ full_name: 'NoForm', is_active: false })
  expect(shown(ids.deploy)).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: ids.ben })
  const mo = await (await as('mo')).register()
  expect(mo.state.user_settings).toMatchObject({ enter_sends: true, color_scheme: 2, web_font_size_px: 16 })
  // A new account has an id behind those of the export.
  const added = await ann.post('/invites/multiuse', { invite_as: 400, stream_ids: [] })
  expect(added.body.result).toBe('success')
})

test('administrators become owners only where an organization had none', async () => {
  const [ben, ann, ...others] = zulipBasics.zerver_userprofile!
  const admin = zulipUser(31, 'Admin', { role: 200 })
  const roleOfAdmin = async (tables: Record<string, object[]>) => {
    const { made, log } = await importedZulip(server, { tables })
    expect(made.owner).toBe('admin@example.com')
    return log.state.users.get(31)?.role
  }
  // The owner has not agreed to share what is private.
  const dummies = [{ ...ann, is_active: false, is_mirror_dummy: true }]
  const users = [ben!, ...others, admin]
  expect(await roleOfAdmin({ zerver_userprofile: users, zerver_userprofile_mirrordummy: dummies })).toBe(200)
  expect(await roleOfAdmin({ zerver_userprofile: users, zerver_userprofile_mirrordummy: [] })).toBe(100)
})

test('channels keep their ids, privacy, permissions and subscribers', async () => {
  const [tea, plans, secret, old] = zulipBasics.zerver_stream!
  const { as } = await importedZulip(server, {
    tables: {
      zerver_channelfolder: [{ id: 7, name: 'Kitchen', description: '', order: 0, creator: ids.ann }],
      zerver_stream: [
        {
          ...tea,
          folder: 7,
          can_send_message_group: groups.posters,
          topics_policy: 3,
          message_retention_days: 90,
        },
        { ...plans, can_administer_channel_group: groups.crew },
        secret,
        old,
        { id: 25, name: 'TEA', invite_only: false, is_web_public: true, stream_post_policy: 2 },
      ],
    },
  })
  const [ann, ben, gus] = [await as('ann'), await as('ben'), await as('gus')]
  const { state } = await ann.register()
  const own = (id: number) => state.subscriptions.find((one: { stream_id: number }) => one.stream_id === id)
  expect(own(channels.tea)).toMatchObject({
    name: 'tea',
    description: 'All *of us*',
    rendered_description: '<p>All <em>of us</em></p>',
    invite_only: false,
    creator_id: ids.ann,
    folder_id: 7,
    color: '#76ce90',
    message_retention_days: 90,
    topics_policy: 'disable_empty_topic',
    can_send_message_group: { direct_members: [ids.gus], direct_subgroups: [expect.any(Number)] },
  })
  expect(own(channels.plans)).toMatchObject({ invite_only: true, history_public_to_subscribers: true })
  expect(own(channels.plans).can_administer_channel_group).toBe(groups.crew)
  expect(own(channels.secret)).toMatchObject({ invite_only: true, history_public_to_subscribers: false })
  expect(own(channels.tea).subscribers).toEqual([ids.ann, ids.ben, ids.gus, ids.idle])
  expect(state.realm_default_streams).toEqual([channels.tea])
  const other = state.never_subscribed.find((one: { stream_id: number }) => one.stream_id === 25)
  expect(other).toMatchObject({ name: 'TEA (2)', is_web_public: true })
  const { streams } = (await ann.get('/streams', { exclude_archived: false, include_all: true })).body
  expect(streams.find((one: { stream_id: number }) => one.stream_id === channels.old)).toMatchObject({
    name: 'old',
    is_archived: true,
    date_created: 1_600_000_000,
  })
  const [bens] = (await ben.register()).state.subscriptions
  expect(bens).toMatchObject({
    pin_to_top: true,
    is_muted: true,
    push_notifications: true,
    stream_id: channels.tea,
  })
  const send = (who: Person) =>
    who.post('/messages', { type: 'channel', to: channels.tea, topic: 't', content: 'x' })
  expect((await send(gus)).body.result).toBe('success')
  expect((await send(ben)).body.msg).toContain('permission to post')
  await (await ann.register()).expectStateToMatch()
})

test('groups keep their ids, members and permissions; system groups are ours', async () => {
  const { as, log } = await importedZulip(server, {
    tables: {
      zerver_usergroup: [...zulipBasics.zerver_usergroup!, { id: 8 }, { id: 9 }],
      zerver_namedusergroup: [
        ...zulipBasics.zerver_namedusergroup!,
        { usergroup_ptr: 8, name: 'fleet', can_mention_group: groups.members },
        { usergroup_ptr: 9, name: 'role:pirates', deactivated: true },
      ],
      zerver_groupgroupmembership: [
        ...zulipBasics.zerver_groupgroupmembership!,
        { supergroup: 8, subgroup: groups.crew },
        { supergroup: groups.crew, subgroup: 8 },
        { supergroup: 8, subgroup: 999 },
      ],
    },
  })
  const { user_groups } = (await (await as('ann')).get('/user_groups', { include_deactivated_groups: true }))
    .body
  const shown = (name: string) => user_groups.find((group: { name: string }) => group.name === name)
  expect(shown('crew')).toMatchObject({
    id: groups.crew,
    description: 'Who sails',
    members: [ids.ben],
    direct_subgroup_ids: [],
    creator_id: ids.ben,
    can_manage_group: { direct_members: [ids.gus], direct_subgroups: [shown('role:administrators').id] },
  })
  expect(shown('fleet')).toMatchObject({
    id: 8,
    direct_subgroup_ids: [groups.crew],
    can_mention_group: shown('role:members').id,
  })
  expect(shown('role pirates')).toMatchObject({ id: 9, deactivated: true })
  expect(shown('role:owners').members).toEqual([ids.ann])
  expect(log.state.groups.size).toBe(11)
})

test('an import that takes long says how far it is', async () => {
  const files = [1000, 1001, 1002].map((id) => ({
    zerver_message: [zulipMessage(id, ids.ann, recipients.tea, 'x')],
  }))
  const lines: string[] = []
  let now = 1_800_000_000
  const clock = () => {
    now += 20
    return now
  }
  await importedZulip(server, { messages: files }, { report: (line) => lines.push(line), clock })
  expect(lines).toContainEqual(expect.stringMatching(/^[23] messages are imported: [23] of 3 files\.$/))
})
