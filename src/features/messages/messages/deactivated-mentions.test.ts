import { expect, test } from 'vitest'
import { messageIn, sender } from '../../../../test/messages.ts'
import { cast } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting() {
  const people = await cast(await organization())
  const { org, admin, anna, ben } = people
  const channel = await org.channel({ subscribers: [admin, anna, ben] })
  return { ...people, say: sender(anna, channel) }
}

test('a message can name a deactivated user without mentioning them', async () => {
  const { admin, anna, ben, say } = await setting()
  await admin.delete(`/users/${ben.id}`)
  const sent = await say('t', `@**Ben** @**Ben|${ben.id}** @**Anna**`)
  const edited = await say('t', 'hello')
  await anna.patch(`/messages/${edited}`, { content: '@**Ben**' })
  const named = `<span class="user-mention silent" data-user-id="${ben.id}">Ben</span>`
  const called = `<span class="user-mention" data-user-id="${anna.id}">@Anna</span>`
  expect((await messageIn(admin, sent)).content).toBe(`<p>${named} ${named} ${called}</p>`)
  expect((await messageIn(admin, edited)).content).toBe(`<p>${named}</p>`)
  expect((await messageIn(anna, sent)).flags).toContain('mentioned')
})

test('a reactivated user has no mentions from the time of the deactivation', async () => {
  const { org, admin, anna, say } = await setting()
  const { user_id: id } = (await anna.post('/bots', { full_name: 'Helper', short_name: 'helper' })).body
  await anna.post('/users/me/subscriptions', { subscriptions: [{ name: 'channel 1' }], principals: [id] })
  const before = await say('t', '@**Helper**')
  await anna.delete(`/bots/${id}`)
  await say('t', '@**Helper**')
  await admin.post(`/users/${id}/reactivate`)
  const after = await say('t', '@**Helper**')
  const { api_key: key } = (await anna.post(`/bots/${id}/api_key/regenerate`)).body
  const helper = new Person(org.place, {
    id,
    name: 'Helper',
    email: org.state.users.require(id).delivery_email,
    key,
  })
  const { body } = await helper.get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'mentioned' }],
  })
  expect(body.messages.map((message: { id: number }) => message.id)).toEqual([before, after])
})

test('any user can name a deactivated group, and this mentions nobody', async () => {
  const { org, admin, anna, ben, say } = await setting()
  const only = { direct_members: [ben.id], direct_subgroups: [] }
  const devs = { name: 'devs', description: '', members: [admin.id], can_mention_group: only }
  const { group_id: id } = (await org.owner.post('/user_groups/create', devs)).body
  const message = { type: 'channel', topic: 't', content: '@*devs*' }
  await org.owner.post(`/user_groups/${id}/deactivate`)
  const client = await admin.register({ event_types: ['message'] })
  const sent = await say('t', message.content)
  const named = `<span class="user-group-mention silent" data-user-group-id="${id}">devs</span>`
  expect(await client.events()).toMatchObject([
    { flags: [], message: { id: sent, content: `<p>${named}</p>` } },
  ])
  const preview = await anna.post('/messages/render', { content: '@*devs*' })
  expect(preview.body.rendered).toBe(`<p>${named}</p>`)
})
