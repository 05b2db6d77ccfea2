import { expect, test } from 'vitest'
import { look, png } from '../../../test/pictures.ts'
import { testServer } from '../../../test/test-server.ts'
import {
  channels,
  groups,
  ids,
  importedZulip,
  noon,
  recipients,
  zulipBasics,
  zulipFlags,
  zulipMessage,
  zulipUser,
} from '../../../test/zulip.ts'

const server = testServer()

const [realm] = zulipBasics.zerver_realm!
test('files are uploads of their owners, and links in messages lead to them', async () => {
  const path = '2/ab/Abcdefghijklmnopqrstuvwx/report.txt'
  const record = { path, s3_path: path, realm_id: 2, user_profile_id: ids.ben, size: 5 }
  const upload = { id: 1, path_id: path, file_name: 'report.txt', owner: ids.ben, create_time: noon, size: 5 }
  const old = { ...upload, id: 2, path_id: '2/short/picture.png', file_name: 'picture.png' }
  const { made, as, log } = await importedZulip(server, {
    messages: [
      {
        zerver_message: [
          zulipMessage(
            1000,
            ids.ben,
            recipients.secret,
            `[report](/user_uploads/${path}) [gone](/user_uploads/2/x/y/z.png)`,
          ),
          zulipMessage(
            1001,
            ids.ben,
            recipients.tea,
            'see https://acme.example.com/user_uploads/2/short/picture.png.',
          ),
        ],
        zerver_usermessage: zulipFlags(ids.ben, { 1000: 1, 1001: 1 }),
      },
    ],
    files: {
      'attachment.json': {
        zerver_attachment: [
          upload,
          old,
          { ...upload, id: 3, path_id: '2/../../realm.json' },
          { ...upload, id: 4, path_id: '2/x/y/z.png' },
        ],
      },
      'uploads/records.json': [record],
      [`uploads/${path}`]: 'hello',
      'uploads/2/short/picture.png': await png(30, 20),
    },
  })
  expect(made.files).toBe(2)
  expect(made.leftOut).toEqual({ missingFiles: 2 })
  const [ann, ben, gus] = [await as('ann'), await as('ben'), await as('gus')]
  const { message } = (await ben.get('/messages/1000')).body
  const [, address = ''] = /href="(\/user_uploads\/[^"]*report.txt)"/.exec(message.content) ?? []
  expect(address).toBe(`/user_uploads/${log.state.id}/ab/Abcdefghijklmnopqrstuvwx/report.txt`)
  const loaded = await ben.raw({ method: 'GET', path: address })
  expect(loaded).toMatchObject({ status: 200, text: 'hello' })
  expect((await gus.raw({ method: 'GET', path: address })).status).toBe(403)
  const { attachments } = (await ben.get('/attachments')).body
  expect(attachments).toMatchObject([
    { name: 'report.txt', messages: [{ id: 1000 }], create_time: Math.floor(noon) * 1000 },
    { name: 'picture.png', messages: [{ id: 1001 }] },
  ])
  const picture = `/user_uploads/${attachments[1].path_id}`
  expect((await ann.get('/messages/1001')).body.message.content).toContain(`href="${picture.slice(1)}"`)
  expect(await look(ann, picture)).toMatchObject({ status: 200, width: 30 })
})

test('people, emoji and the organization keep their pictures', async () => {
  const emoji = (id: number, name: string, more: object = {}) => ({
    id,
    name,
    author: ids.ann,
    file_name: `${id}.png`,
    ...more,
  })
  const emojiFile = (id: number) => ({ path: `2/emoji/images/${id}.png`, file_name: `${id}.png` })
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_realm: [{ ...realm, icon_source: 'U', logo_source: 'U', night_logo_source: 'D' }],
      zerver_userprofile: [
        ...zulipBasics.zerver_userprofile!,
        zulipUser(30, 'Pia', { avatar_source: 'U' }),
        zulipUser(31, 'Lost', { avatar_source: 'U' }),
      ],
      zerver_realmemoji: [
        emoji(5, 'party'),
        emoji(6, 'olden', { deactivated: true }),
        emoji(7, 'broken'),
        emoji(8, 'No Name!'),
      ],
      zerver_reaction: [
        {
          id: 1,
          message: 1000,
          user_profile: ids.ann,
          emoji_name: 'party',
          emoji_code: '5',
          reaction_type: 'realm_emoji',
        },
      ],
      zerver_userstatus: [
        {
          id: 1,
          user_profile: 30,
          status_text: 'away',
          emoji_name: 'party',
          emoji_code: '5',
          reaction_type: 'realm_emoji',
        },
      ],
    },
    messages: [
      {
        zerver_message: [zulipMessage(1000, ids.ann, recipients.tea, ':party: :olden:')],
        zerver_usermessage: [],
      },
    ],
    files: {
      'avatars/records.json': [
        { path: '2/x.png', user_profile_id: 30 },
        { path: '2/x.original', user_profile_id: 30 },
        { path: '../realm.json', user_profile_id: 31 },
      ],
      'avatars/2/x.original': await png(200),
      'emoji/records.json': [emojiFile(5), emojiFile(6), emojiFile(7), emojiFile(8)],
      'emoji/2/emoji/images/5.png': await png(20),
      'emoji/2/emoji/images/6.png': await png(20),
      'emoji/2/emoji/images/7.png': 'no picture',
      'emoji/2/emoji/images/8.png': await png(20),
      'realm_icons/records.json': [{ path: '2/icon.png' }, { path: '2/logo.original' }],
      'realm_icons/2/icon.png': await png(50),
      'realm_icons/2/logo.original': await png(80, 20),
    },
  })
  expect(made).toMatchObject({ avatars: 1, leftOut: { lostPictures: 3 } })
  const pia = await as('pia')
  const { state } = await pia.register()
  expect(await look(pia, state.avatar_url_medium)).toMatchObject({ status: 200, width: 500 })
  expect(Object.values(state.realm_emoji)).toMatchObject([
    { id: '5', name: 'party', deactivated: false, author_id: ids.ann },
    { id: '6', name: 'olden', deactivated: true },
  ])
  const { message } = (await pia.get('/messages/1000')).body
  expect(message.content).toContain('alt=":party:"')
  expect(message.content).toContain(':olden:</p>')
  expect(message.reactions).toMatchObject([{ emoji_code: '5', reaction_type: 'realm_emoji' }])
  expect(state.user_status[30]).toMatchObject({ status_text: 'away', emoji_code: '5' })
  expect(state).toMatchObject({
    realm_icon_source: 'U',
    realm_logo_source: 'U',
    realm_night_logo_source: 'D',
  })
  expect((await look(pia, state.realm_icon_url)).status).toBe(200)
})

test('the organization keeps its settings', async () => {
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_realm: [
        {
          ...realm,
          message_content_edit_limit_seconds: null,
          message_content_delete_limit_seconds: 300,
          message_edit_history_visibility_policy: 2,
          topics_policy: 3,
          waiting_period_threshold: 3,
          jitsi_server_url: 'https://calls.example.com',
          org_type: 5,
          default_language: 'de',
          invite_required: false,
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
        zerver_usermessage: [],
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
          ...realm,
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
