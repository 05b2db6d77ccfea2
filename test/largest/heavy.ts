import { draftLimits } from '../../src/features/messages/drafts/limits.ts'
import type { Sent } from '../http.ts'
import type { LargeOrganization } from './organization.ts'

/** A valid request about a very large number of objects. */
type Heavy = { name: string; method: string; path: string; params: Sent; user?: number }

/** In this order: some undo the work of those before them. They concern all but the first users. */
export function heavyRequests({ users, channels, groups, messages }: LargeOrganization): Heavy[] {
  const names = channels.map(({ name }) => name)
  const rooms = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `${prefix} ${i}` }))
  const [large, third] = [channels[1]!, channels[2]!]
  const subscriptions = '/users/me/subscriptions'
  const crowd = users.slice(1_000)
  const some = users.slice(1_000, 1_050)
  const open = channels.filter(({ id }) => id % 5 !== 0)
  const page = { anchor: 'newest', num_before: 5_000, num_after: 0 }
  const register = { include_subscribers: true, client_capabilities: { notification_settings_null: true } }
  const post = (name: string, path: string, params: Sent, user = 0): Heavy => ({
    name,
    method: 'POST',
    path,
    params,
    user,
  })
  const change = (name: string, path: string, params: Sent): Heavy => ({
    name,
    method: 'PATCH',
    path,
    params,
  })
  const read = (name: string, path: string, params: Sent, user = 0): Heavy => ({
    name,
    method: 'GET',
    path,
    params,
    user,
  })
  const drop = (name: string, path: string, params: Sent = {}): Heavy => ({
    name,
    method: 'DELETE',
    path,
    params,
  })
  const channel = `/streams/${large.id}`
  const reader = users[1]!
  return [
    post('create channels', subscriptions, { subscriptions: rooms('a', 500) }),
    post('create private channels', subscriptions, { subscriptions: rooms('b', 500), invite_only: true }),
    post('create channels for many', subscriptions, { subscriptions: rooms('c', 400), principals: some }),
    post('create a channel for all', subscriptions, { subscriptions: rooms('d', 1), principals: users }),
    post('subscribe all', subscriptions, {
      subscriptions: open.slice(4, 6).map(({ name }) => ({ name })),
      principals: crowd,
    }),
    post('subscribe to all', subscriptions, {
      subscriptions: open.map(({ name }) => ({ name })),
      principals: some,
    }),
    drop('unsubscribe from all', subscriptions, { subscriptions: names, principals: some }),
    drop('unsubscribe all', subscriptions, { subscriptions: ['d 0', open[4]!.name], principals: crowd }),
    post('create a group of all', '/user_groups/create', { name: 'all', description: '', members: users }),
    post('add all to a group', `/user_groups/${groups[1]}/members`, {
      add: crowd.filter((id) => 2 + (id % (groups.length - 1)) !== 2).slice(0, 2_000),
    }),
    post('add groups to a group', `/user_groups/${groups[0]}/members`, { add_subgroups: groups.slice(1) }),
    change('make a channel private', channel, { is_private: true }),
    change('permit many', channel, {
      can_subscribe_group: { new: { direct_members: users.slice(0, 1_000), direct_subgroups: [] } },
      can_administer_channel_group: { new: { direct_members: users.slice(0, 1_000), direct_subgroups: [] } },
    }),
    change('permit a group', channel, { can_subscribe_group: { new: groups[0] } }),
    change('make a channel public', channel, { is_private: false }),
    drop('archive', channel),
    change('unarchive', channel, { is_archived: false }),
    change('make a guest', `/users/${reader}`, { role: 600 }),
    change('make a member', `/users/${reader}`, { role: 400 }),
    post('subscribe all to one', subscriptions, { subscriptions: [{ name: large.name }], principals: users }),
    drop('archive for all', channel),
    change('unarchive for all', channel, { is_archived: false }),
    drop('deactivate', `/users/${reader}`),
    post('reactivate', `/users/${reader}/reactivate`, {}),
    post('mark everything as read', '/mark_all_as_read', {}, 2),
    post(
      'mark messages as unread',
      '/messages/flags/narrow',
      { ...page, narrow: [], op: 'remove', flag: 'read' },
      2,
    ),
    read('messages', '/messages', { ...page, narrow: [] }, 2),
    read('all people', '/users', { client_gravatar: false, include_custom_profile_fields: true }),
    read('people, as a guest', '/users', {}, users.length - 1),
    read('all channels', '/streams', { include_all: true, include_default: true }),
    post('register', '/register', register, 3),
    post('register as a guest', '/register', register, users.length - 1),
    // A client may send what no operation asks for.
    post('say very many words', '/users/me/presence', { status: 'active', words: 'a '.repeat(1_900_000) }, 4),
    post('send to many', '/messages', { type: 'direct', to: users.slice(0, 500), content: 'hello' }),
    post('store drafts', '/drafts', {
      drafts: Array.from({ length: draftLimits.draftsPerRequest }, (_, i) => ({
        type: 'private',
        to: users.slice(0, 40),
        topic: '',
        content: `draft ${i}`.padEnd(9_000, ' word'),
      })),
    }),
    {
      name: 'fill a storage',
      method: 'PUT',
      path: '/bot_storage',
      params: {
        storage: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, 'value'])),
      },
    },
    read('a full storage', '/bot_storage', {}),
    drop('empty a storage', '/bot_storage'),
    change('move a topic', `/messages/${messages[0]}`, { topic: 'elsewhere', propagate_mode: 'change_all' }),
    post('delete a topic', `/streams/${third.id}/delete_topic`, { topic_name: 'topic 1' }),
    post('invite', '/invites', {
      invitee_emails: rooms('guest', 500)
        .map(({ name }) => `${name.replace(' ', '')}@example.org`)
        .join(),
      stream_ids: open.map(({ id }) => id),
    }),
  ]
}
