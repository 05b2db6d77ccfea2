import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** Ann has a public channel, and a client that fetches its events only after her role has changed. */
async function cast(role: 'member' | 'guest') {
  const org = await organization()
  const [ann, ben] = [await org.person({ role }), await org.person()]
  const known = await org.channel({ subscribers: [ann, org.owner] })
  const other = await org.channel({ subscribers: [org.owner] })
  const client = await ann.register()
  const subscriptions = [known, other].map(({ name }) => ({ name }))
  await ben.post('/users/me/subscriptions', { subscriptions })
  await org.owner.patch(`/streams/${known.id}`, { description: 'news' })
  return { org, ann, known, client }
}

test('a member who has become a guest hears what changed in their channels before', async () => {
  const { org, ann, known, client } = await cast('member')
  await org.owner.patch(`/users/${ann.id}`, { role: 600 })
  const heard = (await client.events()).filter(({ op }) => op === 'peer_add')
  expect(heard).toMatchObject([{ stream_ids: [known.id] }])
  await client.expectStateToMatch()
})

test('a guest who has become a member hears once what changed in their channels before', async () => {
  const { org, ann, client } = await cast('guest')
  await org.owner.patch(`/users/${ann.id}`, { role: 400 })
  await client.expectStateToMatch()
})

test('a guest who has become a member does not hear of a channel that was public before', async () => {
  const org = await organization()
  const ann = await org.person({ role: 'guest' })
  const client = await ann.register()
  await org.owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'plans' }] })
  const { stream_id } = (await org.owner.get('/get_stream_id', { stream: 'plans' })).body
  await org.owner.patch(`/streams/${stream_id}`, { is_private: true })
  await org.owner.patch(`/users/${ann.id}`, { role: 400 })
  expect(JSON.stringify(await client.events())).not.toContain('plans')
  await client.expectStateToMatch()
})
