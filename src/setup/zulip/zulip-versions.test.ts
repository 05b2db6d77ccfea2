import { expect, test } from 'vitest'
import {
  channels,
  ids,
  importedZulip,
  noon,
  recipients,
  zulipBasics,
  zulipMessage,
  zulipRealm,
  zulipUser,
} from '../../../test/imports/zulip.ts'
import { foundBy } from '../../../test/messages.ts'
import { testServer } from '../../../test/test-server.ts'

// The versions of Zulip differ in their exports.

const server = testServer()

/** The settings of a new organization of a recent version, as its columns hold them. */
const newRealm = {
  ...zulipRealm,
  description: '',
  emails_restricted_to_domains: false,
  invite_required: true,
  disallow_disposable_email_addresses: true,
  enable_spectator_access: false,
  want_advertise_in_communities_directory: false,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  digest_emails_enabled: false,
  digest_weekday: 1,
  send_welcome_emails: true,
  message_content_allowed_in_email_notifications: true,
  topics_policy: 2,
  require_unique_names: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  move_messages_within_stream_limit_seconds: 604_800,
  move_messages_between_streams_limit_seconds: null,
  waiting_period_threshold: 0,
  message_content_delete_limit_seconds: 600,
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  message_edit_history_visibility_policy: 1,
  default_language: 'en',
  new_stream_announcements_stream: null,
  moderation_request_channel: null,
  message_retention_days: -1,
  org_type: 10,
  video_chat_provider: 5,
  jitsi_server_url: null,
  giphy_rating: 2,
  default_code_block_language: '',
  enable_read_receipts: true,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
}

/** The settings of a new user there. */
const newUser = {
  enter_sends: false,
  left_side_userlist: false,
  default_language: 'en',
  web_home_view: 'inbox',
  color_scheme: 1,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  web_animate_image_previews: 'on_hover',
  demote_inactive_streams: 1,
  web_mark_read_on_scroll_policy: 1,
  web_channel_default_view: 1,
  emojiset: 'google',
  user_list_style: 3,
  web_stream_unreads_count_display_policy: 2,
  email_notifications_batching_period_seconds: 120,
  notification_sound: 'zulip',
  desktop_icon_count_display: 1,
  realm_name_in_email_notifications_policy: 1,
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  resolved_topic_notice_auto_read_policy: 2,
  email_address_visibility: 1,
}

test('a new organization of today has no setting that is left out', async () => {
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_realm: [newRealm],
      zerver_realmuserdefault: [{ id: 1, ...newUser }],
      zerver_userprofile: zulipBasics.zerver_userprofile!.map((user) => ({ ...newUser, ...user })),
    },
  })
  expect(made.leftOut).toEqual({})
  const { state } = await (await as('ann')).register()
  expect(state).toMatchObject({
    realm_message_retention_days: -1,
    realm_move_messages_within_stream_limit_seconds: 604_800,
    realm_move_messages_between_streams_limit_seconds: null,
    realm_video_chat_provider: 3,
    realm_org_type: 10,
    realm_user_settings_defaults: { web_home_view: 'inbox' },
  })
})

test('columns without a value mean the default, and 0 no limit, in old versions', async () => {
  const old = {
    description: null,
    default_code_block_language: null,
    message_retention_days: null,
    message_content_edit_limit_seconds: 0,
    message_content_delete_limit_seconds: 0,
    org_type: 2,
    allow_message_deleting: false,
    allow_community_topic_editing: false,
  }
  const [tea] = zulipBasics.zerver_stream!
  const { made, as, log } = await importedZulip(server, {
    tables: {
      zerver_realm: [{ ...zulipRealm, ...old }],
      zerver_stream: [{ ...tea, is_announcement_only: true }],
    },
    messages: [
      {
        zerver_message: [zulipMessage(1000, ids.ann, recipients.tea, '```\nx = 1\n```')],
      },
    ],
  })
  expect(made.leftOut).toEqual({})
  const { state } = await (await as('ann')).register()
  expect(state).toMatchObject({
    realm_description: '',
    realm_default_code_block_language: '',
    realm_message_retention_days: -1,
    realm_message_content_edit_limit_seconds: null,
    realm_message_content_delete_limit_seconds: null,
    realm_org_type: 90,
  })
  const holders = (value: number) => log.state.groups.get(value)?.name
  for (const name of [
    'can_delete_own_message',
    'can_move_messages_between_topics',
    'can_resolve_topics',
  ] as const)
    expect(holders(state[`realm_${name}_group`])).toBe('role:administrators')
  expect(holders(state.subscriptions[0].can_send_message_group)).toBe('role:administrators')
  const [{ content } = { content: '' }] = await foundBy(await as('ann'))
  expect(content).not.toContain('data-code-language')
})

test('archived channels get their names back', async () => {
  const archived = (id: number, name: string) => ({ id, name, deactivated: true, invite_only: true })
  const { log } = await importedZulip(server, {
    tables: {
      zerver_stream: [
        archived(31, '!!DEACTIVATED:first'),
        archived(32, '0a1b2c3!DEACTIVATED:second'),
        archived(33, 'third'),
        { id: 34, name: '0a1b2c3!DEACTIVATED:in use' },
      ],
    },
  })
  const names = [...log.state.channels.values()].map(({ id, name }) => [id, name])
  expect(names.sort()).toEqual([
    [31, 'first'],
    [32, 'second'],
    [33, 'third'],
    [34, '0a1b2c3!DEACTIVATED:in use'],
  ])
})

test('direct messages to people who only have a name in old messages are there', async () => {
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_userprofile_mirrordummy: [
        zulipUser(ids.dummy, 'Dummy', { is_mirror_dummy: true, is_active: false, recipient: 116 }),
      ],
    },
    messages: [{ zerver_message: [zulipMessage(1000, ids.ann, 116, 'are you there?')] }],
  })
  expect(made.leftOut).toEqual({})
  const found = await foundBy(await as('ann'), [{ operator: 'dm', operand: [ids.dummy] }])
  expect(found).toMatchObject([{ id: 1000, content: '<p>are you there?</p>' }])
})

test('nobody else is said to have moved a message', async () => {
  const edits = [
    { user_id: null, timestamp: noon + 2, prev_topic: 'old', topic: 'news' },
    { user_id: null, timestamp: noon + 1, prev_content: 'before' },
  ]
  const { as } = await importedZulip(server, {
    messages: [
      {
        zerver_message: [
          zulipMessage(1000, ids.ann, recipients.tea, 'x', { edit_history: JSON.stringify(edits) }),
        ],
      },
    ],
  })
  const ann = await as('ann')
  const { message } = (await ann.get('/messages/1000')).body
  const { cross_realm_bots } = (await ann.register()).state
  const notifier = cross_realm_bots.find((bot: { full_name: string }) => bot.full_name === 'Notification Bot')
  expect(message.edit_history[0].user_id).toBe(notifier.user_id)
  expect(message.edit_history[1].user_id).toBe(ids.ann)
})

test('the names of the empty topic in old versions become it', async () => {
  const edits = [{ user_id: ids.ann, timestamp: noon, prev_topic: 'general chat', topic: 'news' }]
  const topic = (id: number, subject: string, more: object = {}) =>
    zulipMessage(id, ids.ann, recipients.tea, 'x', { subject, ...more })
  const followed = { user_profile: ids.ann, stream: channels.tea, visibility_policy: 3, last_updated: noon }
  const { as } = await importedZulip(server, {
    tables: { zerver_usertopic: [{ id: 1, topic_name: 'general chat', ...followed }] },
    messages: [
      {
        zerver_message: [
          topic(1000, 'general chat'),
          topic(1001, '(no topic)'),
          topic(1002, 'news', { edit_history: JSON.stringify(edits) }),
        ],
      },
    ],
  })
  const ann = await as('ann')
  await ann.post('/messages', { type: 'channel', to: channels.tea, topic: 'general chat', content: 'next' })
  const inTopic = (topic: string) =>
    foundBy(ann, [
      { operator: 'channel', operand: channels.tea },
      { operator: 'topic', operand: topic },
    ])
  expect((await inTopic('general chat')).map(({ id }) => id)).toEqual([1000, 1001, 1003])
  const [moved] = await inTopic('news')
  expect(moved!.edit_history).toMatchObject([{ prev_topic: '', topic: 'news' }])
  const { user_topics } = (await ann.register()).state
  expect(user_topics).toMatchObject([{ topic_name: '', visibility_policy: 3 }])
})

test('settings of people under former names keep their values', async () => {
  const old = {
    alert_words: '["tea", "cake"]',
    night_mode: true,
    default_view: 'all_messages',
    escape_navigates_to_default_view: false,
    dense_mode: true,
  }
  const { as } = await importedZulip(server, {
    tables: { zerver_userprofile: [...zulipBasics.zerver_userprofile!, zulipUser(60, 'Old', old)] },
  })
  const { state } = await (await as('old')).register()
  expect(state.user_settings).toMatchObject({
    color_scheme: 2,
    web_home_view: 'all_messages',
    web_escape_navigates_to_home_view: false,
    web_font_size_px: 14,
    web_line_height_percent: 122,
  })
  expect(state.alert_words).toEqual(['tea', 'cake'])
})
