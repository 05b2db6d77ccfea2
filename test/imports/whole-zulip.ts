import {
  channels,
  groups,
  ids,
  noon,
  recipients,
  zulipBasics,
  zulipFiles,
  zulipFlags,
  zulipMessage,
  zulipUser,
} from './zulip.ts'

const emoji = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
const own = { emoji_name: 'party', emoji_code: '5', reaction_type: 'realm_emoji' }
const path = '2/ab/Abcdefghijklmnopqrstuvwx/report.txt'
const later = 4_000_000_000
const [tea, ...others] = zulipBasics.zerver_stream!
const edits = [
  { user_id: ids.ann, timestamp: noon + 9, prev_topic: 'old', topic: 'news', prev_stream: 22, stream: 21 },
  { user_id: ids.ben, timestamp: noon + 5, prev_content: 'hello' },
]
const scheduled = {
  sender: ids.ann,
  content: 'later',
  scheduled_timestamp: later,
  delivered: false,
  delivery_type: 1,
}

/** Returns the files of an export of Zulip in which every table that is read has rows. */
export function wholeZulip(): Record<string, unknown> {
  return structuredClone(zulipFiles({ tables, messages, files }))
}

const tables = {
  zerver_realm: [
    {
      ...zulipBasics.zerver_realm![0],
      can_create_groups: groups.posters,
      message_content_edit_limit_seconds: 600,
      default_language: 'de',
      new_stream_announcements_stream: channels.tea,
      icon_source: 'U',
    },
  ],
  zerver_realmuserdefault: [{ id: 1, enter_sends: true }],
  zerver_userprofile: [
    ...zulipBasics.zerver_userprofile!,
    zulipUser(40, 'Hook', { is_bot: true, bot_type: 3, bot_owner: ids.ben }),
    zulipUser(41, 'Pia', { avatar_source: 'U', enter_sends: true, default_sending_stream: channels.tea }),
  ],
  zerver_channelfolder: [
    { id: 7, name: 'Kitchen', description: 'x', order: 0, creator: ids.ann, is_archived: false },
  ],
  zerver_stream: [
    {
      ...tea,
      folder: 7,
      can_send_message_group: groups.everyone,
      topics_policy: 2,
      message_retention_days: -1,
    },
    ...others,
  ],
  zerver_realmauditlog: [
    {
      id: 1,
      event_type: 301,
      modified_user: ids.idle,
      modified_stream: channels.secret,
      event_last_message_id: 900,
    },
    {
      id: 2,
      event_type: 303,
      modified_user: ids.idle,
      modified_stream: channels.secret,
      event_last_message_id: 1001,
    },
    { id: 3, event_type: 124, modified_user: ids.ben, extra_data: { 1: 'Benjamin' } },
  ],
  zerver_reaction: [
    { id: 1, message: 1000, user_profile: ids.ann, ...emoji },
    { id: 2, message: 1000, user_profile: ids.ben, ...own },
  ],
  zerver_submessage: [
    {
      id: 1,
      message: 2001,
      sender: ids.ann,
      msg_type: 'widget',
      content: '{"type":"vote","key":"canned,0","vote":1}',
    },
  ],
  zerver_realmemoji: [{ id: 5, name: 'party', author: ids.ann, file_name: '5.png', deactivated: false }],
  zerver_realmfilter: [
    { id: 4, pattern: '#(?P<id>[0-9]+)', url_template: 'https://b.example.com/{id}', order: 2 },
  ],
  zerver_realmplayground: [
    { id: 2, name: 'Run', pygments_language: 'Python', url_template: 'https://r.example.com/{code}' },
  ],
  zerver_realmdomain: [{ id: 1, domain: 'example.com', allow_subdomains: true }],
  zerver_customprofilefield: [
    { id: 3, name: 'Phone', hint: '', order: 1, field_type: 1, field_data: '' },
    { id: 4, name: 'Mentor', hint: 'who', order: 2, field_type: 6, field_data: '' },
    { id: 5, name: 'Pick', order: 3, field_type: 3, field_data: '{"a":{"text":"A","order":"1"}}' },
  ],
  zerver_customprofilefieldvalue: [
    { id: 1, user_profile: ids.ben, field: 3, value: '12' },
    { id: 2, user_profile: ids.ben, field: 4, value: `[${ids.ann}]` },
    { id: 3, user_profile: ids.ben, field: 5, value: 'a' },
  ],
  zerver_usertopic: [
    {
      id: 1,
      user_profile: ids.ann,
      stream: channels.tea,
      topic_name: 'News',
      visibility_policy: 3,
      last_updated: noon,
    },
  ],
  zerver_mutedtopic: [
    { id: 1, user_profile: ids.ann, stream: channels.tea, topic_name: 'noise', date_muted: noon },
  ],
  zerver_muteduser: [{ id: 1, user_profile: ids.ann, muted_user: ids.gus, date_muted: noon }],
  zerver_alertword: [{ id: 1, user_profile: ids.ann, word: 'tea' }],
  zerver_userstatus: [{ id: 1, user_profile: ids.ben, status_text: 'away', ...emoji }],
  zerver_userpresence: [
    { id: 1, user_profile: ids.ann, last_active_time: noon, last_connected_time: noon + 5 },
  ],
  zerver_onboardingstep: [{ id: 1, user: ids.ann, onboarding_step: 'intro_inbox_view_modal' }],
  zerver_navigationview: [{ id: 2, user: ids.ann, fragment: 'narrow/near/1', is_pinned: true, name: 'Mine' }],
  zerver_savedsnippet: [{ id: 1, user_profile: ids.ann, title: 'Hi', content: 'Hello', date_created: noon }],
  zerver_scheduledmessage: [
    { id: 1, recipient: recipients.tea, subject: 'plans', ...scheduled },
    { id: 2, recipient: recipients.ben, subject: '', ...scheduled },
    {
      id: 3,
      recipient: recipients.ann,
      subject: '',
      ...scheduled,
      delivery_type: 2,
      reminder_target_message_id: 1000,
    },
  ],
  zerver_service: [
    { id: 1, user_profile: 40, name: 'hook', base_url: 'https://h.example.com/in', interface: 1 },
  ],
  zerver_botstoragedata: [{ id: 1, bot_profile: ids.deploy, key: 'last', value: '7' }],
  zerver_botconfigdata: [{ id: 1, bot_profile: 40, key: 'a', value: 'b' }],
}

const messages = [
  {
    zerver_message: [
      zulipMessage(1000, ids.ben, recipients.tea, `hello @**Ann** :party: #12 /user_uploads/${path}`, {
        edit_history: JSON.stringify(edits),
      }),
      zulipMessage(1001, ids.notifier, recipients.secret, 'a notice', { subject: '' }),
    ],
    zerver_usermessage: [
      ...zulipFlags(ids.ann, { 1000: 8 | 2, 1001: 1 }),
      ...zulipFlags(ids.ben, { 1000: 1, 1001: 0 }),
    ],
  },
  {
    zerver_message: [
      zulipMessage(2000, ids.ann, recipients.ben, 'to Ben', { subject: '\u0007' }),
      zulipMessage(2001, ids.ben, recipients.three, '/poll What?\nTea\nMilk'),
    ],
    zerver_usermessage: zulipFlags(ids.ben, { 2000: 0, 2001: 1 }),
  },
]

const files = {
  'attachment.json': {
    zerver_attachment: [
      {
        id: 1,
        path_id: path,
        file_name: 'report.txt',
        owner: ids.ben,
        create_time: noon,
        size: 5,
      },
    ],
  },
  'uploads/records.json': [{ path, s3_path: path, user_profile_id: ids.ben }],
  [`uploads/${path}`]: 'hello',
  'avatars/records.json': [{ path: '2/x.png', user_profile_id: 41 }],
  'avatars/2/x.png': 'no picture',
  'emoji/records.json': [{ path: '2/emoji/images/5.png', file_name: '5.png' }],
  'emoji/2/emoji/images/5.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'realm_icons/records.json': [{ path: '2/icon.png' }],
}
