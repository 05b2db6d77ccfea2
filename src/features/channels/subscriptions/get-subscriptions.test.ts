import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('users list their own subscriptions, by name, with subscribers on request', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const second = await org.channel({ name: 'beta', subscribers: [ann, bob] })
  const first = await org.channel({ name: 'Alpha', subscribers: [ann], isPrivate: true })
  await org.channel({ name: 'gamma', subscribers: [bob] })
  const archived = await org.channel({ name: 'delta', subscribers: [ann] })
  await org.owner.delete(`/streams/${archived.id}`)
  const { subscriptions } = (await ann.get('/users/me/subscriptions')).body
  expect(subscriptions).toMatchObject([
    { stream_id: first.id, name: 'Alpha', invite_only: true, color: '#76ce90', in_home_view: true },
    { stream_id: second.id, name: 'beta', subscriber_count: 2, desktop_notifications: null },
  ])
  expect(subscriptions[0]).not.toHaveProperty('subscribers')
  const answer = await ann.get('/users/me/subscriptions', { include_subscribers: true })
  expect(answer.body.subscriptions).toMatchObject([
    { subscribers: [ann.id] },
    { subscribers: [ann.id, bob.id] },
  ])
})

test('users who may see a channel see its subscribers', async () => {
  const org = await organization()
  const [ann, bob, gone] = [await org.person(), await org.person(), await org.person()]
  const guest = await org.person({ role: 'guest' })
  const open = await org.channel({ subscribers: [ann, gone] })
  const secret = await org.channel({ subscribers: [ann], isPrivate: true })
  await org.owner.delete(`/users/${gone.id}`)
  expect((await bob.get(`/streams/${open.id}/members`)).body.subscribers).toEqual([ann.id])
  expect((await org.owner.get(`/streams/${secret.id}/members`)).body.subscribers).toEqual([ann.id])
  for (const [person, id] of [
    [guest, open.id],
    [bob, secret.id],
    [ann, 99_999],
  ] as const) {
    const answer = await person.get(`/streams/${id}/members`)
    expect(answer.body).toMatchObject({ result: 'error', msg: 'Invalid channel ID', code: 'BAD_REQUEST' })
  }
})
