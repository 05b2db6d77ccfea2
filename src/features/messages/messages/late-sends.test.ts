import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

const refused = { result: 'error', code: 'BAD_REQUEST' }

test('does not send to a channel that was archived since the send was checked', async () => {
  const { org, anna, admin } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna] })
  const held = await holdWrites(org.log)
  await held.add(() => admin.delete(`/streams/${channel.id}`))
  const send = await held.add(() =>
    anna.post('/messages', { type: 'channel', to: channel.id, topic: 'late', content: 'too late' }),
  )
  await held.release()
  expect((await send.answer).body).toMatchObject(refused)
})

test('does not send for a user who was deactivated since', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  await ben.post('/messages', { type: 'direct', to: [anna.id], content: 'early' })
  const held = await holdWrites(org.log)
  await held.add(() => admin.delete(`/users/${anna.id}`))
  const from = await held.add(() => anna.post('/messages', { type: 'direct', to: [ben.id], content: 'late' }))
  const to = await held.add(() => ben.post('/messages', { type: 'direct', to: [anna.id], content: 'late' }))
  await held.release()
  expect((await from.answer).body).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' })
  expect((await to.answer).body).toMatchObject(refused)
})

test('does not send to a private channel that the sender has left since', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna, admin], isPrivate: true })
  const held = await holdWrites(org.log)
  await held.add(() =>
    admin.delete('/users/me/subscriptions', { subscriptions: [channel.name], principals: [anna.id] }),
  )
  const send = await held.add(() =>
    anna.post('/messages', { type: 'channel', to: channel.id, topic: 'late', content: 'too late' }),
  )
  const other = await held.add(() =>
    ben.post('/messages', { type: 'direct', to: [admin.id], content: 'hello' }),
  )
  await held.release()
  expect((await send.answer).body).toMatchObject(refused)
  expect((await other.answer).body).toMatchObject({ result: 'success' })
})

test('of two users who begin a topic in the same moment, the first follows it', async () => {
  const { org, anna, ben } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna, ben] })
  for (const who of [anna, ben]) await who.patch('/settings', { automatically_follow_topics_policy: 3 })
  const held = await holdWrites(org.log)
  const sends = []
  for (const who of [anna, ben]) {
    const message = { type: 'channel', to: channel.id, topic: 'new', content: 'first' }
    sends.push(await held.add(() => who.post('/messages', message)))
  }
  await held.release()
  const policies = await Promise.all(
    sends.map(async ({ answer }) => (await answer).body.automatic_new_visibility_policy),
  )
  expect(policies).toEqual([3, undefined])
  expect((await ben.register()).state.user_topics).toEqual([])
})
