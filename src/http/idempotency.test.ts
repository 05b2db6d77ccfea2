import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Sent } from '../../test/http.ts'
import { sender } from '../../test/messages.ts'
import type { Organization } from '../../test/organization.ts'
import { png, sendFiles } from '../../test/pictures.ts'
import { testServer } from '../../test/test-server.ts'
import { allEndpoints } from '../features/index.ts'

const w = testServer()

/** The fixture for every operation that creates something. */
type Setting = {
  org: Organization
  channelId: number
  messageId: number
  pollId: number
  inviteIds: number[]
  webhookKey: string
}

/** A request that creates something, a different one for each number; with files if there are some. */
type Example = (
  i: number,
  setting: Setting,
) => { path?: string; params: Sent; files?: Promise<Buffer>; body?: object; events?: 'later' }

const later = 4_000_000_000

const examples: Record<string, Example> = {
  'POST /messages': (i, { org }) => ({
    params: { type: 'direct', to: [org.owner.id], content: `message ${i}` },
  }),
  'POST /scheduled_messages': (i, { channelId }) => ({
    params: {
      type: 'channel',
      to: channelId,
      topic: 't',
      content: `later ${i}`,
      scheduled_delivery_timestamp: later,
    },
  }),
  'POST /reminders': (i, { messageId }) => ({
    params: { message_id: messageId, scheduled_delivery_timestamp: later + i },
  }),
  'POST /drafts': (i) => ({ params: { drafts: [{ type: '', to: [], topic: '', content: `draft ${i}` }] } }),
  'POST /saved_snippets': (i) => ({ params: { title: `snippet ${i}`, content: 'text' } }),
  'POST /channel_folders/create': (i) => ({ params: { name: `folder ${i}`, description: '' } }),
  'POST /user_groups/create': (i) => ({ params: { name: `group ${i}`, description: '', members: [] } }),
  'POST /users/me/subscriptions': (i) => ({ params: { subscriptions: [{ name: `new ${i}` }] } }),
  'PATCH /users/me/subscriptions': (i) => ({ params: { add: [{ name: `newer ${i}` }] } }),
  'POST /bots': (i) => ({ params: { full_name: `Bot ${i}`, short_name: `bot${i}` } }),
  'POST /users': (i) => ({
    params: { email: `new${i}@example.net`, password: 'a long enough secret', full_name: `New ${i}` },
  }),
  'POST /invites': (i) => ({ params: { invitee_emails: `guest${i}@example.net`, stream_ids: [] } }),
  'POST /invites/multiuse': (i) => ({ params: { invite_expires_in_minutes: 60 + i } }),
  'POST /invites/{invite_id}/resend': (i, { inviteIds }) => ({
    path: `/invites/${inviteIds[i]}/resend`,
    params: {},
  }),
  'POST /user_uploads': (i) => ({ params: {}, files: png(10 + i) }),
  'POST /realm/emoji/{emoji_name}': (i) => ({ path: `/realm/emoji/emoji${i}`, params: {}, files: png(20) }),
  'POST /realm/filters': (i) => ({
    params: { pattern: `#${i}-(?P<id>[0-9]+)`, url_template: 'https://example.net/{id}' },
  }),
  'POST /realm/playgrounds': (i) => ({
    params: { name: `play ${i}`, pygments_language: 'Python', url_template: 'https://example.net/{code}' },
  }),
  'POST /realm/profile_fields': (i) => ({ params: { name: `field ${i}`, field_type: 1 } }),
  'POST /realm/domains': (i) => ({ params: { domain: `d${i}.example.net`, allow_subdomains: false } }),
  'POST /default_stream_groups/create': (i) => ({
    params: { group_name: `offer ${i}`, description: '', stream_names: [] },
  }),
  'POST /navigation_views': (i) => ({
    params: { fragment: `narrow/topic/${i}`, is_pinned: true, name: `view ${i}` },
  }),
  'POST /messages/{message_id}/reactions': (i, { messageId }) => ({
    path: `/messages/${messageId}/reactions`,
    params: { emoji_name: ['tada', 'heart', 'octopus'][i] },
  }),
  'POST /messages/{message_id}/report': (i, { messageId }) => ({
    path: `/messages/${messageId}/report`,
    params: { report_type: 'other', description: `why ${i}` },
  }),
  'POST /submessage': (i, { pollId }) => ({
    params: {
      message_id: pollId,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'new_option', idx: i + 5, option: `option ${i}` }),
    },
  }),
  'POST /mobile_push/test_notification': () => ({ params: {} }),
  'POST /export/realm': (i) => ({ params: { export_type: 1 + (i % 2) }, events: 'later' }),
  'POST /rookery/own_exports': () => ({ params: {}, events: 'later' }),
  'POST /external/{integration}': (i, { webhookKey, channelId }) => ({
    path: `/external/json?api_key=${webhookKey}&stream=${channelId}`,
    params: {},
    body: { text: `news ${i}`, topic: 'news' },
  }),
}

/** Every other POST, and why repeating it does no harm or needs no key. */
const needNone = {
  'they say how something is to be': [
    '/default_streams',
    '/mark_all_as_read',
    '/mark_stream_as_read',
    '/mark_topic_as_read',
    '/messages/flags',
    '/messages/flags/narrow',
    '/mobile_push/register',
    '/realm/deactivate',
    '/realm/icon',
    '/realm/logo',
    '/rookery/push_subscriptions',
    '/streams/{stream_id}/delete_topic',
    '/user_groups/{user_group_id}/deactivate',
    '/user_groups/{user_group_id}/members',
    '/user_groups/{user_group_id}/subgroups',
    '/user_topics',
    '/users/me/alert_words',
    '/users/me/android_gcm_reg_id',
    '/users/me/apns_device_token',
    '/users/me/avatar',
    '/users/me/muted_users/{muted_user_id}',
    '/users/me/onboarding_steps',
    '/users/me/presence',
    '/users/me/status',
    '/users/me/subscriptions/properties',
    '/users/{user_id}/reactivate',
    '/users/{user_id}/status',
    '/zcommand',
  ],
  'they change nothing': [
    '/messages/render',
    '/messages/{message_id}/typing',
    '/register',
    '/rookery/linkifier_preview',
    '/typing',
  ],
  'they end something': [
    '/account/keys/{key_id}/revoke',
    '/account/sessions/{session_id}/end',
    '/logout',
    '/unsubscribe/{key}',
  ],
  'they log a user in, to whom no key can belong yet': [
    '/accounts/confirm_new_email/{key}',
    '/accounts/do_confirm/{key}',
    '/accounts/password/reset',
    '/accounts/password/reset/{key}',
    '/dev_fetch_api_key',
    '/fetch_api_key',
    '/join/{key}',
    '/json/fetch_api_key',
    '/jwt/fetch_api_key',
    '/login',
    '/register', // the page
    '/rookery/session',
    '/rookery/sign_ups',
    '/rookery/sign_ups/{key}',
  ],
  'they end the secret that they replace': [
    '/bots/{bot_id}/api_key/regenerate',
    '/users/me/api_key/regenerate',
  ],
  'its own protocol says how to repeat it': ['/api/v1/tus'],
  'another server does it': ['/calls/zoom/create'],
}

async function setUp(): Promise<Setting> {
  const org = await w.organization()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner] })
  await org.log.commit(async (change) => {
    const { id, settings } = change.state.row
    await change.update('account', { id: owner.id, can_create_users: true })
    await change.update('realm', {
      id,
      settings: { ...settings, moderation_request_channel_id: channel.id },
    })
  })
  const send = sender(owner, channel)
  const [messageId, pollId] = [await send('t', 'a message'), await send('t', '/poll Which?\nthis\nthat')]
  const bot = await owner.post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
  await owner.post('/invites', { invitee_emails: 'one@example.net, two@example.net', stream_ids: [] })
  const { invites } = (await owner.get('/invites')).body
  const inviteIds = invites.map((invite: { id: number }) => invite.id)
  return { org, channelId: channel.id, messageId, pollId, inviteIds, webhookKey: bot.body.api_key }
}

describe('an operation that makes something', () => {
  let setting: Setting
  beforeAll(async () => {
    setting = await setUp()
  })

  async function ask(route: string, i: number, key: string): Promise<Answer> {
    const { org } = setting
    const [method, template] = route.split(' ') as [string, string]
    const { path = template, params, files, body } = examples[route]!(i, setting)
    const headers = { 'idempotency-key': key }
    if (files) return sendFiles(org.owner, method, path, [{ content: await files }], { headers })
    if (!body) return org.owner.ask(method, path, params, { headers })
    const json = { ...headers, 'content-type': 'application/json' }
    return org.visitor.raw({ method, path: `/api/v1${path}`, headers: json, body: JSON.stringify(body) })
  }

  test('is declared to do so, and has an example here', () => {
    const declared = allEndpoints
      .filter(({ creates }) => creates)
      .map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(examples).sort()).toEqual(declared.sort())
  })

  test('is every POST, but for what may be done twice, and for whom no user asks', () => {
    const others = allEndpoints.filter(({ creates, method }) => !creates && method === 'POST')
    expect(others.map(({ path }) => path).sort()).toEqual(Object.values(needNone).flat().sort())
  })

  test.each(Object.keys(examples))('is done once under a key: %s', async (route) => {
    const { log } = setting.org
    const isQuiet = examples[route]!(0, setting).events !== 'later'
    const start = log.state.position
    const first = await ask(route, 0, `${route} a`)
    expect(first).toMatchObject({ status: 200, body: { result: 'success' } })
    const [position, most] = [log.state.position, log.state.position - start]
    const again = await ask(route, 0, `${route} a`)
    expect([again.status, again.body]).toEqual([200, first.body])
    const other = await ask(route, 1, `${route} a`)
    const isOther =
      JSON.stringify(examples[route]!(0, setting)) !== JSON.stringify(examples[route]!(1, setting))
    if (isOther || examples[route]!(0, setting).files) {
      expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    }
    if (isQuiet) expect(log.state.position).toBe(position)
    const together = await Promise.all([1, 2, 3].map(() => ask(route, 1, `${route} b`)))
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(together.map(({ text }) => text)).size).toBe(1)
    if (isQuiet) expect(log.state.position - position).toBeLessThanOrEqual(most)
  })
})
