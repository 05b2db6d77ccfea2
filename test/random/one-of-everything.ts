import type { Organization } from '../organization.ts'
import { png, sendFiles } from '../pictures.ts'

// An organization with one of everything, for tests of all operations.

type Fields = Record<string, unknown>

export type Things = Awaited<ReturnType<typeof oneOfEverything>>

/** Creates them, and returns what parameters of each name usually hold. */
export async function oneOfEverything(org: Organization) {
  const { owner } = org
  const picture = await png(10)
  const made = async (path: string, fields: Fields) => {
    const { status, body } = await owner.post(path, fields)
    if (status !== 200) throw new Error(`${path}: ${body.msg}`)
    return body
  }
  let count = 0
  const fresh = () => `n${++count}`
  await org.log.commit((change) =>
    change.update('account', { id: owner.id, can_create_users: true, can_change_user_emails: true }),
  )
  const ben = await org.person({ name: 'Ben' })
  const channel = await org.channel({ name: 'notes', subscribers: [owner, ben] })
  const open = await org.channel({ name: 'open' })
  const team = await org.channel({ name: 'moderators', subscribers: [owner], isPrivate: true })
  await owner.patch('/realm', { moderation_request_channel_id: team.id, invite_required: false })
  await owner.post('/users/me/presence', { status: 'active' })
  const message = await made('/messages', { type: 'channel', to: 'notes', topic: 'lunch', content: 'hi' })
  const poll = await made('/messages', { type: 'direct', to: [ben.id], content: '/poll Tea?\nyes' })
  const uploaded = await sendFiles(owner, 'POST', '/user_uploads', [{ content: picture }])
  const deliverAt = Math.floor(Date.now() / 1000) + 86_400
  const eva = await org.person({ name: 'Eva' })
  const later = {
    type: 'channel',
    to: channel.id,
    topic: 'x',
    content: 'hi',
    scheduled_delivery_timestamp: deliverAt,
  }
  const draft = { type: '', to: [], topic: '', content: 'hi' }
  await made('/realm/domains', { domain: 'example.org', allow_subdomains: true })
  await made('/navigation_views', { fragment: 'narrow/x', is_pinned: true, name: 'X' })
  await made('/default_stream_groups/create', { group_name: 'G', description: '', stream_names: [] })
  const incoming = await made('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
  const [, , , realmOfFile, ...file] = String(uploaded.body.url).split('/')
  const byName: Fields = {
    anchor: 'newest',
    api_key: incoming.api_key,
    bot_id: (await made('/bots', webhookBot('toaster'))).user_id,
    channel_folder_id: (await made('/channel_folders/create', { name: 'F', description: '' }))
      .channel_folder_id,
    content: 'hello',
    draft,
    draft_id: (await made('/drafts', { drafts: [draft] })).ids[0],
    drafts: [draft],
    email: eva.email,
    emoji_name: 'tada',
    field_id: (await made('/realm/profile_fields', { name: 'Tea', field_type: 1 })).id,
    filename: file.join('/'),
    filter_id: (await made('/realm/filters', { pattern: '#0', url_template: 'https://x.org/' })).id,
    group_id: [...org.state.defaultChannelGroups.values()].map(({ id }) => id)[0],
    integration: 'json',
    message_id: message.id,
    messages: [message.id],
    msg_ids: [message.id],
    muted_user_id: ben.id,
    narrow: [],
    num_after: 1,
    num_before: 1,
    op: 'add',
    flag: 'starred',
    password: 'correct horse',
    realm_id_str: realmOfFile,
    saved_snippet_id: (await made('/saved_snippets', { title: 'a', content: 'b' })).saved_snippet_id,
    scheduled_delivery_timestamp: deliverAt,
    scheduled_message_id: (await made('/scheduled_messages', later)).scheduled_message_id,
    stream: 'notes',
    stream_id: channel.id,
    token: 'abcd',
    topic: 'lunch',
    topic_name: 'lunch',
    url_template: 'https://x.org/',
    user_group_id: (await made('/user_groups/create', { name: 'cooks', description: '', members: [] }))
      .group_id,
    user_id: ben.id,
    user_id_or_email: owner.email,
    username: owner.email,
  }
  return { byName, ben, open, poll, later, made, fresh, picture }
}

/** A bot that reads all parameters of a bot. */
export function webhookBot(name: string) {
  return { full_name: name, short_name: name, bot_type: 3, payload_url: '"https://example.com/"' }
}
