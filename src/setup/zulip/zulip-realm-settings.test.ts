import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  channels,
  groups,
  ids,
  importedZulip,
  noon,
  recipients,
  zulipBasics,
  zulipMessage,
  zulipRealm,
  zulipUser,
} from '../../../test/imports/zulip.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

test('the organization keeps its settings', async () => {
  const { made, as, log } = await importedZulip(server, {
    tables: {
      zerver_realm: [
        {
          ...zulipRealm,
          message_content_edit_limit_seconds: null,
          message_content_delete_limit_seconds: 300,
          message_edit_history_visibility_policy: 2,
          topics_policy: 3,
          waiting_period_threshold: 3,
          jitsi_server_url: 'https://calls.example.com',
          org_type: 5,
          default_language: 'de',
          invite_required: false,
          digest_emails_enabled: true,
          digest_weekday: 3,
          new_stream_announcements_stream: channels.tea,
          moderation_request_channel: 99,
          can_create_groups: groups.posters,
          can_invite_users_group: groups.nobody,
          can_access_all_users_group: groups.crew,
        },
      ],
      zerver_realmuserdefault: [{ id: 1, enter_sends: true, color_scheme: 9 }],
      zerver_realmfilter: [
        { id: 4, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.com/{id}', order: 2 },
        { id: 3, pattern: 'T(?P<n>[0-9]+)', url_format_string: 'https://t.example.com/%(n)s', order: 1 },
        { id: 5, pattern: '(', url_template: 'x' },
      ],
      zerver_realmplayground: [
        { id: 2, name: 'Run', pygments_language: 'Python', url_prefix: 'https://run.example.com/?c=' },
      ],
      zerver_realmdomain: [{ id: 1, domain: 'Example.com', allow_subdomains: true }],
      zerver_customprofilefield: [
        { id: 3, name: 'Phone', hint: '', order: 1, field_type: 1, field_data: '' },
        { id: 4, name: 'Mentor', hint: 'who', order: 2, field_type: 6, field_data: '' },
        { id: 5, name: 'Odd', field_type: 99 },
      ],
      zerver_customprofilefieldvalue: [
        { id: 1, user_profile: ids.ben, field: 3, value: '**12**', rendered_value: '<i>theirs</i>' },
        { id: 2, user_profile: ids.ben, field: 4, value: JSON.stringify([ids.ann, ids.gone, 999]) },
        { id: 3, user_profile: ids.ben, field: 5, value: 'x' },
      ],
    },
    messages: [
      {
        zerver_message: [zulipMessage(1000, ids.ben, recipients.tea, 'see #12 and T5')],
      },
    ],
  })
  expect(made.leftOut).toEqual({ settings: 2, permissions: 1, linkifiers: 1, profileFields: 2 })
  const ann = await as('ann')
  const { state } = await ann.register()
  expect(state).toMatchObject({
    realm_name: 'Acme',
    realm_description: 'We *make* things',
    realm_message_content_edit_limit_seconds: null,
    realm_message_content_delete_limit_seconds: 300,
    realm_message_edit_history_visibility_policy: 'moves',
    realm_topics_policy: 'disable_empty_topic',
    realm_waiting_period_threshold: 3,
    realm_jitsi_server_url: 'https://calls.example.com',
    realm_org_type: 0,
    realm_default_language: 'de',
    realm_invite_required: false,
    realm_new_stream_announcements_stream_id: channels.tea,
    realm_moderation_request_channel_id: -1,
    realm_date_created: Math.floor(noon - 9000),
    realm_can_create_groups: { direct_members: [ids.gus] },
    realm_user_settings_defaults: { enter_sends: true, color_scheme: 1 },
    realm_linkifiers: [{ id: 3, url_template: 'https://t.example.com/{n}' }, { id: 4 }],
    realm_playgrounds: [{ id: 2, name: 'Run', url_template: 'https://run.example.com/?c={code}' }],
    realm_domains: [{ domain: 'example.com', allow_subdomains: true }],
    custom_profile_fields: [
      { id: 3, name: 'Phone' },
      { id: 4, name: 'Mentor', hint: 'who' },
    ],
  })
  expect(log.state.row.settings).toMatchObject({ digest_emails_enabled: true, digest_weekday: 3 })
  const jobs = await log.commit(async (change) => ({
    kinds: await change.run(
      sql<{ kind: string }>`SELECT kind FROM job WHERE realm_id = ${log.state.id} AND kind = 'digests'`,
    ),
  }))
  expect(jobs.kinds).toEqual([{ kind: 'digests' }])
  const { message } = (await ann.get('/messages/1000')).body
  expect(message.content).toContain('href="https://bugs.example.com/12"')
  const { user } = (await ann.get(`/users/${ids.ben}`, { include_custom_profile_fields: true })).body
  expect(user.profile_data).toEqual({
    3: { value: '**12**', rendered_value: '<p><strong>12</strong></p>' },
    4: { value: `[${ids.ann}]` },
  })
})

test('permissions of old versions, which are numbers, get the same holders', async () => {
  const { made, as, log } = await importedZulip(server, {
    tables: {
      zerver_realm: [
        {
          ...zulipRealm,
          create_stream_policy: 2,
          create_private_stream_policy: 3,
          invite_to_realm_policy: 6,
          wildcard_mention_policy: 7,
          private_message_policy: 2,
          bot_creation_policy: 2,
          add_emoji_by_admins_only: true,
          create_web_public_stream_policy: 5,
          edit_topic_policy: 99,
          mandatory_topics: true,
          allow_edit_history: false,
          email_address_visibility: 3,
        },
      ],
      zerver_userprofile: [
        ...zulipBasics.zerver_userprofile!,
        zulipUser(50, 'Old', { role: undefined, is_realm_admin: true }),
        zulipUser(51, 'Open', { email_address_visibility: 1 }),
      ],
    },
  })
  expect(made.leftOut).toEqual({ permissions: 1 })
  const { state } = await (await as('ann')).register()
  const holders = (name: string) => log.state.groups.get(state[`realm_${name}_group`])?.name
  expect(holders('can_create_public_channel')).toBe('role:administrators')
  expect(holders('can_create_private_channel')).toBe('role:fullmembers')
  expect(holders('can_invite_users')).toBe('role:nobody')
  expect(holders('can_mention_many_users')).toBe('role:moderators')
  expect(holders('direct_message_permission')).toBe('role:nobody')
  expect(holders('can_create_bots')).toBe('role:administrators')
  expect(holders('can_create_write_only_bots')).toBe('role:members')
  expect(holders('can_add_custom_emoji')).toBe('role:administrators')
  expect(holders('can_create_web_public_channel')).toBe('role:owners')
  expect(holders('can_move_messages_between_topics')).toBe('role:everyone')
  expect(state.realm_topics_policy).toBe('disable_empty_topic')
  expect(state.realm_message_edit_history_visibility_policy).toBe('none')
  const { members } = (await (await as('ben')).get('/users')).body
  const address = (id: number) =>
    members.find((user: { user_id: number }) => user.user_id === id).delivery_email
  expect([address(ids.ann), address(51)]).toEqual([null, 'open@example.com'])
  expect(log.state.users.get(50)?.role).toBe(200)
})
