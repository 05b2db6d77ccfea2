import { createECDH } from 'node:crypto'
import { keyMailedTo } from '../mailbox.ts'
import type { Organization } from '../organization.ts'
import { sendFiles } from '../pictures.ts'
import { edgesOf } from './edges.ts'
import { oneOfEverything, type Things, webhookBot } from './one-of-everything.ts'
import type { Operation } from './operations.ts'

// For each operation, a request that succeeds, in an organization with one of everything.

type Fields = Record<string, unknown>

/** Returns the parameters of a request that succeeds: the required ones, and those that these and the tested one need. */
export type UsualRequest = (operation: Operation, tested?: string) => Promise<Record<string, string>>

export async function usualRequests(org: Organization): Promise<UsualRequest> {
  const all = await oneOfEverything(org)
  return async ({ method, path, declared }, tested) => {
    const sent: Fields = { ...(await special(org, all, `${method} ${path}`, tested)) }
    for (const param of declared) {
      if (!param.isRequired || param.name in sent) continue
      sent[param.name] = all.byName[param.name] ?? edgesOf(param)[0]
    }
    const coded = Object.entries(sent).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return Object.fromEntries(coded)
  }
}

/** Returns the additional parameters of an operation, such as a thing of the user that it can end. */
async function special(
  org: Organization,
  all: Things,
  operation: string,
  tested: string | undefined,
): Promise<Fields> {
  const { owner } = org
  const { made, fresh, picture, ben, byName } = all
  const message = () => made('/messages', { type: 'channel', to: 'notes', topic: 'x', content: 'hi' })
  const group = () => made('/user_groups/create', { name: fresh(), description: '', members: [] })
  const subscription = { name: fresh() }
  const ofOperation: Record<string, () => Fields | Promise<Fields>> = {
    'POST /realm/domains': () => ({ domain: `${fresh()}.example.com` }),
    'DELETE /realm/domains/{domain}': async () => {
      const domain = `${fresh()}.example.com`
      await made('/realm/domains', { domain, allow_subdomains: true })
      return { domain }
    },
    'PATCH /realm/domains/{domain}': () => ({ domain: 'example.org' }),
    'POST /realm/emoji/{emoji_name}': () => ({ emoji_name: fresh() }),
    'DELETE /realm/emoji/{emoji_name}': async () => {
      const emoji_name = fresh()
      await sendFiles(owner, 'POST', `/realm/emoji/${emoji_name}`, [{ content: picture }])
      return { emoji_name }
    },
    'POST /realm/filters': () => ({ pattern: `#${fresh()}` }),
    'PATCH /realm/filters/{filter_id}': () => ({ pattern: `#${fresh()}` }),
    'DELETE /realm/filters/{filter_id}': async () => ({
      filter_id: (await made('/realm/filters', { pattern: fresh(), url_template: 'https://x.org/' })).id,
    }),
    'PATCH /channel_folders': () => ({ order: [...org.state.channelFolders.values()].map(({ id }) => id) }),
    'PATCH /realm/linkifiers': () => ({
      ordered_linkifier_ids: [...org.state.linkifiers.values()].map(({ id }) => id),
    }),
    'POST /realm/playgrounds': () => ({
      name: fresh(),
      pygments_language: 'Python',
      url_template: 'https://x.org/{code}',
    }),
    'DELETE /users/{user_id}': async () => ({ user_id: (await org.person({ name: fresh() })).id }),
    'POST /users': () => ({ email: `${fresh()}@example.com`, full_name: fresh() }),
    'POST /user_groups/create': () => ({ name: fresh(), description: '', members: [] }),
    'PATCH /user_groups/{user_group_id}': () => ({ name: fresh() }),
    'POST /user_groups/{user_group_id}/deactivate': async () => ({ user_group_id: (await group()).group_id }),
    'POST /user_groups/{user_group_id}/members': async () => ({
      user_group_id: (await group()).group_id,
      add: [ben.id],
    }),
    'POST /user_groups/{user_group_id}/subgroups': async () => ({
      user_group_id: (await group()).group_id,
      add: [byName.user_group_id],
    }),
    'POST /realm/profile_fields': () => ({ name: fresh(), field_type: 1 }),
    'PATCH /realm/profile_fields': () => ({
      order: [...org.state.profileFields.values()].map(({ id }) => id),
    }),
    'DELETE /realm/profile_fields/{field_id}': async () => ({
      field_id: (await made('/realm/profile_fields', { name: fresh(), field_type: 1 })).id,
    }),
    'PATCH /users/me/profile_data': () => ({ data: [{ id: byName.field_id, value: 'x' }] }),
    'POST /users/me/status': () => ({ status_text: 'x', emoji_name: 'tada' }),
    'POST /users/{user_id}/status': () => ({ status_text: 'x', emoji_name: 'tada' }),
    'POST /users/me/subscriptions': () => ({ subscriptions: [subscription] }),
    'DELETE /users/me/subscriptions': () => ({ subscriptions: ['open'] }),
    'PATCH /users/me/subscriptions': () => ({ add: [{ name: 'open' }] }),
    'POST /users/me/subscriptions/properties': () => ({
      subscription_data: [{ stream_id: byName.stream_id, property: 'is_muted', value: true }],
    }),
    'PATCH /users/me/subscriptions/{stream_id}': () => ({ property: 'is_muted', value: 'true' }),
    'DELETE /streams/{stream_id}': async () => ({ stream_id: (await org.channel()).id }),
    'PATCH /streams/{stream_id}': async () => ({
      stream_id: (await org.channel({ subscribers: [owner] })).id,
    }),
    'POST /default_streams': async () => ({ stream_id: (await org.channel()).id }),
    'POST /channel_folders/create': () => ({ name: fresh() }),
    'POST /default_stream_groups/create': () => ({ group_name: fresh(), stream_names: [] }),
    'PATCH /default_stream_groups/{group_id}': () => ({ new_group_name: fresh() }),
    'DELETE /default_stream_groups/{group_id}': async () => {
      await made('/default_stream_groups/create', {
        group_name: fresh(),
        description: '',
        stream_names: [],
      })
      return { group_id: [...org.state.defaultChannelGroups.values()].map(({ id }) => id).at(-1) }
    },
    'PATCH /users/me/subscriptions/muted_topics': () =>
      tested === 'stream' ? {} : { stream_id: byName.stream_id },
    'DELETE /drafts/{draft_id}': async () => ({
      draft_id: (await made('/drafts', { drafts: [byName.draft] })).ids[0],
    }),
    'PATCH /messages/{message_id}': async () => ({
      message_id: (await message()).id,
      ...(tested !== 'stream_id' && { content: 'changed' }),
      ...(tested === 'propagate_mode' && { topic: 'lunch' }),
    }),
    'DELETE /messages/{message_id}': async () => ({ message_id: (await message()).id }),
    'POST /streams/{stream_id}/delete_topic': () => ({ stream_id: all.open.id }),
    'GET /messages': () =>
      tested === 'message_ids' ? {} : { anchor: 'newest', num_before: 0, num_after: 0 },
    'POST /messages': () => ({
      type: 'channel',
      to: 'notes',
      topic: 'x',
      ...(tested === 'queue_id' && { local_id: '1' }),
    }),
    'POST /users/me/muted_users/{muted_user_id}': async () => ({
      muted_user_id: (await org.person({ name: fresh() })).id,
    }),
    'DELETE /users/me/muted_users/{muted_user_id}': async () => {
      const { id } = await org.person({ name: fresh() })
      await made(`/users/me/muted_users/${id}`, {})
      return { muted_user_id: id }
    },
    'POST /messages/{message_id}/reactions': async () => ({ message_id: (await message()).id }),
    'DELETE /messages/{message_id}/reactions': async () => {
      const { id } = await message()
      await made(`/messages/${id}/reactions`, { emoji_name: 'tada' })
      return { message_id: id, emoji_name: 'tada' }
    },
    'POST /scheduled_messages': () => ({ ...all.later }),
    'PATCH /scheduled_messages/{scheduled_message_id}': () => ({ content: fresh() }),
    'DELETE /scheduled_messages/{scheduled_message_id}': async () => made('/scheduled_messages', all.later),
    'POST /saved_snippets': () => ({ title: fresh() }),
    'DELETE /saved_snippets/{saved_snippet_id}': async () =>
      made('/saved_snippets', { title: 'a', content: 'b' }),
    'POST /messages/{message_id}/typing': () => ({ op: 'start' }),
    'POST /typing': () =>
      tested === 'to'
        ? { op: 'start', to: [ben.id] }
        : { op: 'start', type: 'channel', stream_id: byName.stream_id, topic: 'x' },
    'POST /submessage': () => ({
      message_id: all.poll.id,
      msg_type: 'widget',
      content: '{"type":"vote","key":"canned,0","vote":1}',
    }),
    'POST /bots': () => webhookBot(fresh()),
    'DELETE /bots/{bot_id}': async () => ({
      bot_id: (await made('/bots', webhookBot(fresh()))).user_id,
    }),
    'PUT /bot_storage': () => ({ storage: { a: 'b' } }),
    'POST /external/{integration}': () => ({ payload: '{"text":"hi"}', stream: 'notes', topic: 'x' }),
    'POST /invites': () => ({ invitee_emails: `${fresh()}@example.com`, stream_ids: [] }),
    'POST /rookery/session': () => ({ email: owner.email }),
    'POST /rookery/sign_ups': () => ({ email: `${fresh()}@example.com` }),
    'POST /rookery/sign_ups/{key}': async () => {
      const email = `${fresh()}@example.com`
      await made('/rookery/sign_ups', { email })
      return { key: await keyMailedTo(org, email), full_name: fresh() }
    },
    'POST /rookery/push_subscriptions': () => ({ subscription: browserSubscription() }),
    'DELETE /rookery/push_subscriptions': async () => {
      await made('/rookery/push_subscriptions', { subscription: browserSubscription() })
      return { endpoint: browserSubscription().endpoint }
    },
    'POST /mobile_push/register': () => ({
      token_kind: 'fcm',
      push_account_id: 1,
      push_public_key: Buffer.alloc(32, 9).toString('base64'),
      bouncer_public_key: 'key',
      encrypted_push_registration: 'abcd',
    }),
    'GET /events': async () => ({ queue_id: await queue(org), last_event_id: -1, dont_block: true }),
    'DELETE /events': async () => ({ queue_id: await queue(org) }),
    'POST /navigation_views': () => ({ fragment: `narrow/${fresh()}`, is_pinned: true, name: fresh() }),
    'PATCH /navigation_views/{fragment}': () => ({ fragment: 'narrow/x', name: fresh() }),
    'DELETE /navigation_views/{fragment}': async () => {
      const fragment = `narrow/${fresh()}`
      await made('/navigation_views', { fragment, is_pinned: true, name: fresh() })
      return { fragment }
    },
  }
  for (const settings of ['/settings', '/settings/display', '/settings/notifications']) {
    ofOperation[`PATCH ${settings}`] = () =>
      tested === 'new_password' ? { old_password: 'correct horse' } : {}
  }
  for (const kind of ['apns_device_token', 'android_gcm_reg_id']) {
    ofOperation[`DELETE /users/me/${kind}`] = async () => {
      await made(`/users/me/${kind}`, { token: 'abcd', appid: 'org.example' })
      return {}
    }
  }
  return (await ofOperation[operation]?.()) ?? {}
}

async function queue({ owner }: Organization): Promise<string> {
  const { body } = await owner.get('/events', { dont_block: true })
  return body.queue_id
}

function browserSubscription() {
  const keys = createECDH('prime256v1')
  const p256dh = keys.generateKeys('base64url')
  return { endpoint: 'https://push.example.com/x', keys: { p256dh, auth: 'A'.repeat(22) } }
}
