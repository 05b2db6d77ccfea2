import { beforeAll, test } from 'vitest'
import { keyMailedTo } from '../../test/mailbox.ts'
import type { Person } from '../../test/person.ts'
import { png, sendFiles } from '../../test/pictures.ts'
import { type Case, expectSomeOrder, join, namesOf, talking } from '../../test/random/some-order.ts'
import { type Node, testServer } from '../../test/test-server.ts'

// Requests that contradict each other, or want the same thing, arrive at the same time: one of them is first.

const server = testServer()
let node: Node

beforeAll(async () => {
  node = await server.anotherNode()
})

/** Without notices, which name their user by an id. */
const quietly = { send_notification_to_new_thread: false }

const ofTwo: Record<string, Case> = {
  'subscribing, and unsubscribing the user': async ({ org, admin, anna, channel }, there) => ({
    requests: [
      () => anna.post('/users/me/subscriptions', { subscriptions: [{ name: 'talk' }] }),
      () =>
        there(admin).delete('/users/me/subscriptions', { subscriptions: ['talk'], principals: [anna.id] }),
    ],
    look: async () =>
      (await org.owner.get(`/users/${anna.id}/subscriptions/${channel.id}`)).body.is_subscribed,
  }),

  'sending to a channel, and archiving it': async ({ admin, anna, channel, contents }, there) => ({
    requests: [
      () => anna.post('/messages', { type: 'channel', to: channel.id, topic: 'a', content: 'more' }),
      () => there(admin).delete(`/streams/${channel.id}`),
    ],
    look: contents,
  }),

  'moving a topic, and editing a message in it': async ({ admin, anna, id, contents }, there) => ({
    requests: [
      () => admin.patch(`/messages/${id}`, { topic: 'b', ...quietly, propagate_mode: 'change_all' }),
      () => there(anna).patch(`/messages/${id}`, { content: 'changed' }),
    ],
    look: contents,
  }),

  'moving a message, and deleting it': async ({ org, admin, id, contents }, there) => ({
    requests: [
      () => admin.patch(`/messages/${id}`, { topic: 'b', ...quietly }),
      () => there(org.owner).delete(`/messages/${id}`),
    ],
    look: contents,
  }),

  'deleting a message twice': async ({ org, admin, id, contents }, there) => ({
    requests: [() => admin.delete(`/messages/${id}`), () => there(org.owner).delete(`/messages/${id}`)],
    look: contents,
  }),

  'reacting to a message, and deleting it': async ({ org, ben, id, contents }, there) => ({
    requests: [
      () => ben.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
      () => there(org.owner).delete(`/messages/${id}`),
    ],
    look: contents,
  }),

  'changing the role of an administrator, and their deletion of a message': async (
    { org, admin, id, contents },
    there,
  ) => ({
    requests: [
      () => org.owner.patch(`/users/${admin.id}`, { role: 400 }),
      () => there(admin).delete(`/messages/${id}`),
    ],
    look: contents,
  }),

  'deactivating a user, and their send': async ({ admin, anna, channel, contents }, there) => ({
    requests: [
      () => admin.delete(`/users/${anna.id}`),
      () => there(anna).post('/messages', { type: 'channel', to: channel.id, topic: 'a', content: 'more' }),
    ],
    look: contents,
  }),

  'accepting an invitation, and revoking it': async ({ org }, there) => {
    const email = 'dora@example.com'
    await org.owner.post('/invites', { invitee_emails: email, stream_ids: [] })
    const key = await keyMailedTo(org, email)
    const [{ id }] = (await org.owner.get('/invites')).body.invites
    return {
      requests: [() => join(org.visitor, key, 'Dora'), () => there(org.owner).delete(`/invites/${id}`)],
      look: async () => [await namesOf(org, email), (await org.owner.get('/invites')).body.invites],
    }
  },

  'renaming two channels to one name': async ({ org, admin, channel }, there) => {
    const { id } = await org.channel({ name: 'other', subscribers: [admin] })
    return {
      requests: [
        () => admin.patch(`/streams/${channel.id}`, { new_name: 'same' }),
        () => there(org.owner).patch(`/streams/${id}`, { new_name: 'same' }),
      ],
      look: async () => [channel.id, id].map((one) => org.state.channels.require(one).name),
    }
  },

  'renaming the organization to one name': async ({ org, admin }, there) => ({
    requests: [
      () => admin.patch('/realm', { name: 'Same' }),
      () => there(org.owner).patch('/realm', { name: 'Same' }),
    ],
    look: async () => org.state.row.name,
  }),

  'removing the last two owners': async ({ org }, there) => {
    const second = await org.person({ role: 'owner' })
    return {
      requests: [
        () => org.owner.patch(`/users/${second.id}`, { role: 400 }),
        () => there(second).patch(`/users/${org.owner.id}`, { role: 400 }),
      ],
      look: async () => [...org.state.users.values()].filter(({ role }) => role === 100).length,
    }
  },
}

test.each(Object.entries(ofTwo))('%s', (_, begin) =>
  expectSomeOrder(node, async (there) => {
    const all = await talking(server)
    return { org: all.org, ...(await begin(all, there)) }
  }),
)

/** The objects that two users create under one name, and the lists that have them. */
const named: [path: string, params: object, list: string, field: string][] = [
  ['/users/me/subscriptions', { subscriptions: [{ name: 'same' }] }, '/streams', 'streams'],
  ['/user_groups/create', { name: 'same', description: '', members: [] }, '/user_groups', 'user_groups'],
  ['/realm/filters', { pattern: '#same', url_template: 'https://x.org/' }, '/realm/linkifiers', 'linkifiers'],
  ['/realm/profile_fields', { name: 'Same', field_type: 1 }, '/realm/profile_fields', 'custom_fields'],
  ['/channel_folders/create', { name: 'same', description: '' }, '/channel_folders', 'channel_folders'],
  ['/realm/emoji/same', {}, '/realm/emoji', 'emoji'],
  ['/bots', { full_name: 'Same', short_name: 'same' }, '/users', 'members'],
]

test.each(named)('creating one thing twice (%s)', async (path, params, list, field) => {
  const picture = await png(10)
  const create = (who: Person) =>
    path.startsWith('/realm/emoji')
      ? sendFiles(who, 'POST', path, [{ content: picture }])
      : who.post(path, { ...params })
  // An emoji is drawn between two writes, so the first in line may become the second.
  const held = !path.startsWith('/realm/emoji')
  await expectSomeOrder(
    node,
    async (there) => {
      const { org, admin } = await talking(server)
      return {
        org,
        requests: [() => create(admin), () => create(there(org.owner))],
        look: async () => Object.keys((await org.owner.get(list)).body[field]).length,
      }
    },
    { held },
  )
})
