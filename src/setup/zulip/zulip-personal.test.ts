import { expect, test } from 'vitest'
import {
  channels,
  ids,
  importedZulip,
  noon,
  recipients,
  zulipBasics,
  zulipMessage,
  zulipUser,
} from '../../../test/imports/zulip.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

const later = 4_000_000_000

test('people keep what they have chosen for themselves', async () => {
  const scheduled = (sender: number, recipient: number, more: object = {}) => {
    const rest = { sending_client: 1, subject: 'plans', content: 'later', scheduled_timestamp: later + 0.5 }
    return { sender, recipient, ...rest, delivered: false, failed: false, delivery_type: 1, ...more }
  }
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_usertopic: [
        {
          id: 1,
          user_profile: ids.ann,
          stream: channels.tea,
          topic_name: 'News',
          visibility_policy: 3,
          last_updated: noon,
        },
        {
          id: 2,
          user_profile: ids.ann,
          stream: 99,
          topic_name: 'x',
          visibility_policy: 1,
          last_updated: noon,
        },
      ],
      zerver_mutedtopic: [
        { id: 1, user_profile: ids.ann, stream: channels.tea, topic_name: 'noise', date_muted: noon },
      ],
      zerver_muteduser: [{ id: 1, user_profile: ids.ann, muted_user: ids.gus, date_muted: noon }],
      zerver_navigationview: [
        { id: 1, user: ids.ann, fragment: 'inbox', is_pinned: false, name: null },
        { id: 2, user: ids.ann, fragment: 'narrow/near/1', is_pinned: true, name: 'Mine' },
        { id: 3, user: ids.ann, fragment: 'narrow/near/2', is_pinned: true, name: null },
      ],
      zerver_alertword: [
        { id: 1, user_profile: ids.ann, word: 'tea' },
        { id: 2, user_profile: ids.ann, word: 'Tea' },
      ],
      zerver_onboardingstep: [{ id: 1, user: ids.ann, onboarding_step: 'intro_inbox_view_modal' }],
      zerver_userpresence: [
        { id: 1, user_profile: ids.ann, last_active_time: noon, last_connected_time: noon + 5 },
      ],
      zerver_savedsnippet: [
        { id: 1, user_profile: ids.ann, title: 'Hi', content: 'Hello', date_created: noon },
      ],
      zerver_scheduledmessage: [
        scheduled(ids.ann, recipients.tea),
        scheduled(ids.ann, recipients.ben),
        scheduled(ids.ann, recipients.tea, { delivered: true }),
        scheduled(ids.ann, recipients.ann, { delivery_type: 2, reminder_target_message_id: 1000 }),
        scheduled(ids.ann, recipients.ann, { delivery_type: 2, reminder_target_message_id: 1001 }),
        scheduled(ids.ann, recipients.tea, { scheduled_timestamp: noon }),
      ],
    },
    messages: [
      {
        zerver_message: [
          zulipMessage(1000, ids.ben, recipients.tea, 'remember'),
          zulipMessage(1001, ids.ben, recipients.secret, 'not for Ann'),
        ],
      },
    ],
  })
  expect(made.leftOut).toEqual({ lostReferences: 1, ownTexts: 3 })
  const ann = await as('ann')
  const client = await ann.register()
  expect(client.state.user_topics).toEqual([
    { stream_id: channels.tea, topic_name: 'noise', last_updated: Math.floor(noon), visibility_policy: 1 },
    { stream_id: channels.tea, topic_name: 'News', last_updated: Math.floor(noon), visibility_policy: 3 },
  ])
  expect(client.state).toMatchObject({
    muted_users: [{ id: ids.gus, timestamp: Math.floor(noon) }],
    alert_words: ['tea'],
    navigation_views: [
      { fragment: 'inbox', is_pinned: false },
      { fragment: 'narrow/near/1', name: 'Mine' },
    ],
    reminders: [
      {
        reminder_target_message_id: 1000,
        scheduled_delivery_timestamp: later,
        content: expect.stringContaining('remember'),
      },
    ],
    saved_snippets: [{ title: 'Hi', content: 'Hello', date_created: Math.floor(noon) }],
    scheduled_messages: [
      { to: channels.tea, topic: 'plans', type: 'stream', scheduled_delivery_timestamp: later },
      { to: [ids.ben], type: 'private', rendered_content: '<p>later</p>' },
    ],
  })
  const steps = client.state.onboarding_steps.map(({ name }: { name: string }) => name)
  expect(steps).not.toContain('intro_inbox_view_modal')
  expect(steps).toContain('intro_recent_view_modal')
  await client.expectStateToMatch()
})

test('bots get new keys, which their owners read, and outgoing webhooks keep their address', async () => {
  const { as, made, log } = await importedZulip(server, {
    tables: {
      zerver_userprofile: [
        ...zulipBasics.zerver_userprofile!,
        zulipUser(40, 'Hook', { is_bot: true, bot_type: 3, bot_owner: ids.ben }),
        zulipUser(41, 'Orphan', { is_bot: true, bot_type: 1, bot_owner: 999 }),
        zulipUser(42, 'Builds', { is_bot: true, bot_type: 2, bot_owner: ids.ann }),
        zulipUser(43, 'Unknown', { is_bot: true, bot_type: 2, bot_owner: ids.ann }),
      ],
      zerver_botconfigdata: [
        { id: 1, bot_profile: 42, key: 'integration_id', value: 'jenkins' },
        { id: 2, bot_profile: 43, key: 'integration_id', value: 'no such thing' },
      ],
      zerver_botstoragedata: [{ id: 1, bot_profile: ids.deploy, key: 'last', value: '7' }],
      zerver_service: [
        {
          id: 1,
          user_profile: 40,
          name: 'hook',
          base_url: 'https://hook.example.com/in',
          interface: 1,
          token: 'secret',
        },
      ],
    },
  })
  // The one that is set up for something that is not here.
  expect(made.leftOut).toEqual({ ownTexts: 1 })
  expect(log.state.botServices.get(42)?.name).toBe('jenkins')
  const { realm_bots } = (await (await as('ben')).register()).state
  expect(realm_bots.map(({ user_id }: { user_id: number }) => user_id)).toEqual([ids.deploy, 40])
  expect(realm_bots[0].api_key).toMatch(/^\w{32}$/)
  expect(realm_bots[1].services).toMatchObject([{ base_url: 'https://hook.example.com/in' }])
  expect(JSON.stringify(realm_bots)).not.toContain('secret')
  const deploy = await as('deploy')
  expect((await deploy.get('/bot_storage')).body.storage).toEqual({ last: '7' })
  const { user } = (await (await as('ann')).get('/users/41')).body
  expect(user).toMatchObject({ bot_owner_id: ids.ann })
})
