import { expect, test } from 'vitest'
import type { Wire } from '../../../../test/client.ts'
import { EventStream } from '../../../../test/event-stream.ts'
import { direct } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { channelLimits } from '../../kernel/channels/limits.ts'

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

test('the clients of a guest who gains very many channels as a member register anew, and no others', async () => {
  const org = await organization()
  const [ann, ben] = [await org.person({ role: 'guest' }), await org.person({ role: 'administrator' })]
  const perRequest = channelLimits.channelsGained / 2 + 1
  for (const kind of ['plans', 'news']) {
    const names = Array.from({ length: perRequest }, (_, i) => ({ name: `${kind} ${i}` }))
    const { body } = await ben.post('/users/me/subscriptions', { subscriptions: names })
    expect(body.result).toBe('success')
  }
  const [behind, polled, streamed] = [await ann.register(), await ann.register(), await ann.register()]
  const messages = await ann.register({ event_types: ['message'] })
  const bens = await ben.register()
  const ask = async (queueId: string, last: number) =>
    (await ann.get('/events', { queue_id: queueId, last_event_id: last })).body
  const stream = new EventStream(ann, streamed.queueId, { lastEventId: streamed.state.last_event_id })
  await expect.poll(() => stream.text).toContain(': up to date')
  const poll = ask(polled.queueId, polled.state.last_event_id)
  await org.owner.patch(`/users/${ann.id}`, { role: 400 })
  const id = await direct(ben, [ann], 'hello')
  const { events } = await ask(behind.queueId, behind.state.last_event_id)
  expect(events.length).toBeGreaterThan(0)
  expect(new Set(events.map(({ type }: Wire) => type))).toEqual(new Set(['realm_user', 'user_group']))
  expect((await poll).events).toEqual(events)
  await expect.poll(() => stream.isOver).toBe(true)
  expect(stream.events).toEqual(events)
  for (const { queueId } of [behind, polled, streamed])
    expect((await ask(queueId, events.at(-1).id)).code).toBe('BAD_EVENT_QUEUE_ID')
  expect(await messages.events()).toMatchObject([{ type: 'message', message: { id } }])
  await bens.expectStateToMatch()
  const again = await ann.register()
  expect(again.state.streams.length).toBeGreaterThan(channelLimits.channelsGained)
})
