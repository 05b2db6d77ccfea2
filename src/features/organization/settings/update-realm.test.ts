import { expect, test } from 'vitest'
import { cast } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, pass } = testServer()

const setting = async () => cast(await organization())

test('all users receive settings in the forms that clients know', async () => {
  const { org, guest } = await setting()
  const client = await guest.register()
  const params = {
    name: 'Acme',
    description: '# hi',
    allow_message_editing: false,
    digest_weekday: 3,
    message_edit_history_visibility_policy: 'none',
    message_content_delete_limit_seconds: '"unlimited"',
    topics_policy: 'disable_empty_topic',
    message_retention_days: 30,
    jitsi_server_url: '"https://calls.example.com"',
  }
  const { body } = await org.owner.patch('/realm', params)
  expect(body).toEqual({
    result: 'success',
    msg: '',
    name: 'updated',
    description: 'updated',
    allow_message_editing: false,
    digest_weekday: 3,
    message_edit_history_visibility_policy: 3,
    message_content_delete_limit_seconds: null,
    topics_policy: 'disable_empty_topic',
    message_retention_days: 30,
    jitsi_server_url: 'updated',
  })
  const events = await client.events()
  expect(events).toHaveLength(9)
  expect(events).toEqual(
    expect.arrayContaining(
      [
        { op: 'update', property: 'name', value: 'Acme' },
        { op: 'update', property: 'message_content_delete_limit_seconds', value: null },
        { op: 'update_dict', property: 'default', data: { allow_message_editing: false } },
        {
          op: 'update_dict',
          property: 'default',
          data: { topics_policy: 'disable_empty_topic', mandatory_topics: true },
        },
      ].map((event) => expect.objectContaining({ type: 'realm', ...event })),
    ),
  )
  await client.expectStateToMatch()
  expect((await org.owner.patch('/realm', params)).body).toEqual({ result: 'success', msg: '' })
  expect(await client.events()).toEqual([])
})

test('digests are on for clients only where the server sends mail', async () => {
  const { org, anna } = await setting()
  const client = await anna.register()
  expect(client.state).toMatchObject({
    settings_send_digest_emails: false,
    realm_digest_emails_enabled: false,
  })
  const { body } = await org.owner.patch('/realm', { digest_emails_enabled: true })
  expect(body).toMatchObject({ result: 'success', digest_emails_enabled: true })
  expect(await client.events()).toMatchObject([{ property: 'digest_emails_enabled', value: false }])
  await client.expectStateToMatch()
})

test.each([
  ['description', '"quoted" words', '"quoted" words'],
  ['message_edit_history_visibility_policy', 'moves', 'moves'],
  ['topics_policy', 'disable_empty_topic', 'disable_empty_topic'],
  ['topics_policy', '"disable_empty_topic"', 'disable_empty_topic'],
  ['message_content_edit_limit_seconds', 'unlimited', null],
  ['message_content_edit_limit_seconds', '"unlimited"', null],
  ['jitsi_server_url', '"https://calls.example.com"', 'https://calls.example.com'],
  ['jitsi_server_url', '"default"', null],
])('words are taken in the forms that the API takes: %s=%s', async (name, sent, value) => {
  const { owner } = await organization()
  expect((await owner.patch('/realm', { [name]: sent })).body).toMatchObject({ result: 'success' })
  const register = await owner.post('/register', { fetch_event_types: '["realm"]' })
  expect(register.body[`realm_${name}`]).toBe(value)
})

test.each([
  ['message_edit_history_visibility_policy', '"moves"', 'Invalid message_edit_history_visibility_policy'],
  ['default_language', '"de"', `Invalid language '"de"'`],
  ['jitsi_server_url', 'https://calls.example.com', 'jitsi_server_url is not valid JSON'],
])('words in another form are refused: %s=%s', async (name, sent, msg) => {
  const { owner } = await organization()
  expect((await owner.patch('/realm', { [name]: sent })).body).toMatchObject({ result: 'error', msg })
})

test('only administrators change settings, and only owners change some of them', async () => {
  const { admin, anna, guest } = await setting()
  const client = await guest.register()
  expect((await anna.patch('/realm', { name: 'x' })).body).toMatchObject({
    msg: 'Must be an organization administrator',
    code: 'UNAUTHORIZED_PRINCIPAL',
  })
  for (const params of [
    { message_retention_days: 3 },
    { invite_required: false },
    { waiting_period_threshold: 3 },
    { can_create_groups: { new: 1 } },
    { authentication_methods: { Email: true } },
  ]) {
    expect((await admin.patch('/realm', { ...params })).body).toMatchObject({
      msg: 'Must be an organization owner',
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  }
  expect((await admin.patch('/realm', { digest_weekday: 3 })).status).toBe(200)
  expect(await client.events()).toHaveLength(1)
})

test('values are validated, and one invalid value refuses the whole request', async () => {
  const { org, guest } = await setting()
  const client = await guest.register()
  const open = await org.channel()
  for (const [params, msg] of [
    [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ description: 'x'.repeat(1001) }, 'description is too long (limit: 1000 characters)'],
    [{ default_language: 'xx' }, "Invalid language 'xx'"],
    [{ waiting_period_threshold: -1 }, 'waiting_period_threshold is too small'],
    [{ digest_weekday: 9 }, 'Invalid digest_weekday'],
    [{ org_type: '"x"' }, 'org_type is not an integer'],
    [{ video_chat_provider: 99 }, 'Invalid video_chat_provider 99'],
    [{ jitsi_server_url: '"nope"' }, 'jitsi_server_url is not a URL'],
    [{ topics_policy: 'inherit' }, 'Invalid topics_policy'],
    [{ string_id: 'other' }, 'Must be a demo organization.'],
    [{ new_stream_announcements_stream_id: 99999999 }, 'Invalid channel ID'],
    [{ moderation_request_channel_id: open.id }, 'Moderation request channel must be private.'],
    [{ authentication_methods: { Email: false } }, 'At least one authentication method must be enabled.'],
  ] as const) {
    const { body } = await org.owner.patch('/realm', { require_unique_names: true, ...params })
    expect(body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
  expect((await org.owner.patch('/realm', { message_retention_days: 0 })).body).toEqual({
    result: 'error',
    msg: "Bad value for 'message_retention_days': 0",
    code: 'REQUEST_VARIABLE_INVALID',
    var_name: 'message_retention_days',
    bad_value: 0,
  })
  expect(await client.events()).toEqual([])
})

test('permissions: their holders, and the effect on clients', async () => {
  const { org, anna, guest } = await setting()
  const [client, other] = [await anna.register(), await guest.register()]
  const set = (params: object) => org.owner.patch('/realm', { ...params })
  const moderators = org.group('role:moderators')
  const name = 'can_create_public_channel_group'
  expect((await set({ [name]: { new: moderators } })).body).toMatchObject({ [name]: moderators })
  expect(await other.events()).toMatchObject([
    { type: 'realm', op: 'update_dict', property: 'default', data: { [name]: moderators } },
  ])
  await client.expectStateToMatch()
  const people = { direct_members: [anna.id], direct_subgroups: [] }
  expect((await set({ [name]: { new: people, old: moderators } })).body).toMatchObject({ [name]: people })
  for (const one of [client, other]) await one.expectStateToMatch()
  for (const [update, msg] of [
    [{ new: moderators, old: moderators }, "'old' value does not match the expected value."],
    [{ new: 99999999 }, 'Invalid user group'],
    [{ new: org.group('role:everyone') }, `'${name}' setting cannot be set to 'role:everyone' group.`],
  ]) {
    expect((await set({ [name]: update })).body.msg).toBe(msg)
  }
  expect((await set({ can_access_all_users_group: { new: people } })).body).toMatchObject({
    code: 'SYSTEM_GROUP_REQUIRED',
    setting_name: 'can_access_all_users_group',
  })
})

test('permissions of later levels', async () => {
  const { org } = await setting()
  const nobody = { new: org.group('role:nobody') }
  const params = { can_set_topics_policy_group: nobody, can_set_delete_message_policy_group: nobody }
  expect((await org.owner.patch('/realm', params)).body).toEqual({
    result: 'success',
    msg: '',
    can_set_topics_policy_group: nobody.new,
    can_set_delete_message_policy_group: nobody.new,
  })
})

test('a waiting period changes who is a full member', async () => {
  const { org, anna, ben, guest } = await setting()
  const client = await guest.register()
  const full = { type: 'user_group', group_id: org.group('role:fullmembers'), user_ids: [anna.id, ben.id] }
  await org.owner.patch('/realm', { waiting_period_threshold: 3 })
  expect((await client.events())[1]).toMatchObject({ ...full, op: 'remove_members' })
  await client.expectStateToMatch()
  await org.owner.patch('/realm', { waiting_period_threshold: 0 })
  expect((await client.events())[1]).toMatchObject({ ...full, op: 'add_members' })
  await client.expectStateToMatch()
})

test('the waiting period passes on the clock of the server', async () => {
  const { org, anna, guest } = await setting()
  await org.owner.patch('/realm', { waiting_period_threshold: 3 })
  const isFull = async (person: Person) => {
    const path = `/user_groups/${org.group('role:fullmembers')}/members/${person.id}`
    return (await org.owner.get(path)).body.is_user_group_member
  }
  expect([await isFull(anna), await isFull(guest)]).toEqual([false, false])
  pass(4 * 86_400)
  expect([await isFull(anna), await isFull(guest)]).toEqual([true, false])
})

test('announcements have their channels', async () => {
  const { org, guest } = await setting()
  const secret = await org.channel({ isPrivate: true, subscribers: [org.owner] })
  const client = await guest.register()
  await org.owner.patch('/realm', { moderation_request_channel_id: secret.id })
  await org.owner.patch('/realm', { signup_announcements_stream_id: secret.id })
  await org.owner.patch('/realm', { signup_announcements_stream_id: -1 })
  expect((await client.events()).map(({ property, value }) => [property, value])).toEqual([
    ['moderation_request_channel_id', secret.id],
    ['signup_announcements_stream_id', secret.id],
    ['signup_announcements_stream_id', -1],
  ])
  await client.expectStateToMatch()
})

test('an owner deactivates the organization', async () => {
  const { org, admin, anna } = await setting()
  const client = await anna.register()
  const waiting = client.next()
  expect((await admin.post('/realm/deactivate')).body.msg).toBe('Must be an organization owner')
  expect((await org.owner.post('/realm/deactivate')).status).toBe(200)
  expect(await waiting).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: org.id }])
  const { status, body } = await anna.get('/users/me')
  expect({ status, msg: body.msg }).toEqual({
    status: 401,
    msg: 'This organization has been deactivated',
  })
})
