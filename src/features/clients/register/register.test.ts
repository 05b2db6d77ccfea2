import { expect, test } from 'vitest'
import { everyCapability } from '../../../../test/client.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const always = [
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'zulip_feature_level',
  'zulip_version',
  'zulip_merge_base',
]

/** The response for these types of data, without the fields that all clients receive. */
async function fetched(person: Person, types: string[], params = {}) {
  const { body } = await person.post('/register', { fetch_event_types: types, ...params })
  expect(body).toMatchObject({ result: 'success' })
  return Object.fromEntries(Object.entries(body).filter(([name]) => !always.includes(name)))
}

const byType: [type: string, fields: string[]][] = [
  ['alert_words', ['alert_words']],
  ['channel_folders', ['channel_folders']],
  ['custom_profile_fields', ['custom_profile_field_types', 'custom_profile_fields']],
  ['default_stream_groups', ['realm_default_stream_groups']],
  ['default_streams', ['realm_default_streams']],
  ['drafts', ['drafts']],
  ['giphy', ['giphy_api_key']],
  ['message', ['max_message_id']],
  ['muted_topics', ['muted_topics']],
  ['muted_users', ['muted_users']],
  ['navigation_views', ['navigation_views']],
  ['onboarding_steps', ['navigation_tour_video_url', 'onboarding_steps']],
  ['presence', ['presence_last_update_id', 'presences', 'server_timestamp']],
  ['push_device', ['push_devices']],
  ['realm_billing', ['realm_billing']],
  ['realm_bot', ['realm_bots']],
  ['realm_domains', ['realm_domains']],
  ['realm_embedded_bots', ['realm_embedded_bots']],
  ['realm_emoji', ['realm_emoji']],
  ['realm_filters', ['realm_filters']],
  ['realm_incoming_webhook_bots', ['realm_incoming_webhook_bots']],
  ['realm_linkifiers', ['realm_linkifiers']],
  ['realm_playgrounds', ['realm_playgrounds']],
  ['realm_user_groups', ['realm_user_groups']],
  ['realm_user_settings_defaults', ['realm_user_settings_defaults']],
  ['recent_private_conversations', ['recent_private_conversations']],
  ['reminders', ['reminders']],
  ['saved_snippets', ['saved_snippets']],
  ['scheduled_messages', ['scheduled_messages']],
  ['starred_messages', ['starred_messages']],
  ['stop_words', ['stop_words']],
  ['stream', ['streams']],
  ['subscription', ['never_subscribed', 'subscriptions', 'unsubscribed']],
  ['update_message_flags', []],
  ['update_display_settings', []],
  ['update_global_notifications', []],
  ['user_settings', ['user_settings']],
  ['user_status', ['user_status']],
  ['user_topic', ['user_topics']],
  ['video_calls', ['has_zoom_token']],
  ['typing', []],
  ['nonsense', []],
]

test('each type of data returns its fields, and only those', async () => {
  const { owner } = await organization()
  for (const [type, fields] of byType) {
    const found = await fetched(owner, [type], { client_capabilities: everyCapability })
    expect(Object.keys(found).sort(), type).toEqual(fields)
  }
  const unread = await fetched(owner, ['message', 'update_message_flags'])
  expect(Object.keys(unread).sort()).toEqual(['max_message_id', 'unread_msgs'])
  expect(await fetched(owner, ['muted_topics', 'user_topic'])).not.toHaveProperty('muted_topics')
})

test('without types, the response contains everything', async () => {
  const { owner } = await organization()
  const { host } = owner.place
  const { state } = await owner.register()
  for (const [type, fields] of byType) for (const field of fields) expect(state, type).toHaveProperty(field)
  expect(state).toMatchObject({
    zulip_feature_level: 407,
    email: owner.email,
    user_id: owner.id,
    is_owner: true,
    is_admin: true,
    is_moderator: true,
    is_guest: false,
    can_create_streams: true,
    max_message_id: -1,
    max_message_length: 10_000,
    max_topic_length: 60,
    max_stream_name_length: 60,
    max_bulk_new_subscription_messages: 100,
    realm_mandatory_topics: false,
    realm_allow_edit_history: true,
    realm_create_public_stream_policy: 1,
    realm_create_web_public_stream_policy: 7,
    realm_wildcard_mention_policy: 5,
    realm_url: `http://${host}`,
    realm_uri: `http://${host}`,
    realm_bot_domain: host,
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  })
  expect(state).not.toHaveProperty('emojiset')
})

test('the fetched types may differ from the event types', async () => {
  const { owner } = await organization()
  const client = await owner.register({ event_types: [], fetch_event_types: ['realm_user'] })
  expect(client.state.realm_users).toHaveLength(1)
  await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'unheard' })
  expect(await client.events()).toEqual([])

  const everything = await owner.post('/register', { event_types: 'null', fetch_event_types: 'null' })
  expect(everything.body).toHaveProperty('realm_users')
  expect(everything.body).toHaveProperty('subscriptions')
})

test('clients that do not know user_settings find settings at the top level', async () => {
  const { owner } = await organization()
  const { body } = await owner.post('/register')
  expect(body).toMatchObject({
    emojiset: 'google',
    timezone: '',
    notification_sound: 'zulip',
    enter_sends: false,
  })
  expect(body.available_notification_sounds).toContain(body.notification_sound)
  expect(body.user_settings).toMatchObject({ emojiset: 'google', timezone: '', web_home_view: 'inbox' })
  expect(body).not.toHaveProperty('web_font_size_px')
})

test('invalid parameters are refused', async () => {
  const org = await organization()
  const guest = await org.person({ role: 'guest' })
  const refused: [params: object, msg: string, by?: Person][] = [
    [{ event_types: 'message' }, 'event_types is not valid JSON'],
    [{ event_types: [null] }, 'event_types[0] is not a string'],
    [{ include_subscribers: 'partly' }, 'include_subscribers is not valid JSON'],
    [{ include_subscribers: '"partly"' }, 'include_subscribers is not a boolean'],
    [{ include_subscribers: 1 }, 'include_subscribers is not a boolean'],
    [{ narrow: [{ operator: 'channel', operand: 'general' }] }, 'narrow[0] is not a list'],
    [{ narrow: [['bogus', 'x']] }, 'Operator bogus not supported.'],
    [
      { client_capabilities: { notification_settings_null: 'x' } },
      'client_capabilities["notification_settings_null"] is not a boolean',
    ],
    [
      { client_capabilities: { bulk_message_deletion: true } },
      'client_capabilities["notification_settings_null"] field is missing: Field required',
    ],
    [{ client_capabilities: [] }, 'client_capabilities is not a dict'],
    [{ all_public_streams: true }, 'User not authorized for this query', guest],
  ]
  for (const [params, msg, by = org.owner] of refused) {
    const { status, body } = await by.post('/register', { ...params })
    expect({ status, body }).toEqual({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } })
  }
  expect((await org.visitor.post('/register')).status).toBe(401)
  const unknown = {
    client_capabilities: { ...everyCapability, something_new: true },
    event_types: ['nonsense'],
  }
  expect((await org.owner.post('/register', unknown)).status).toBe(200)
})

test('unknown parameters are listed at the end of the response', async () => {
  const { owner } = await organization()
  const { body } = await owner.post('/register', { idle_queue_timeout: 'mobile', event_types: ['message'] })
  expect(body.ignored_parameters_unsupported).toEqual(['idle_queue_timeout'])
})
