import { expect, test } from 'vitest'
import { poll } from '../../../../test/client.ts'
import { sender } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function heardBy(person: Person, queueId: string, after: number) {
  const { body } = await poll(person, queueId, after)
  return body.events.map((event: { message?: { content: string } }) => event.message?.content)
}

test('a queue for all public channels is created without registering, and sends guests nothing', async () => {
  const org = await organization()
  const [anna, guest] = [await org.person(), await org.person({ role: 'guest' })]
  const [open, closed] = [
    await org.channel(),
    await org.channel({ isPrivate: true, subscribers: [org.owner] }),
  ]
  const params = { dont_block: true, all_public_streams: true, event_types: ['message'] }
  const queueOf = async (person: Person): Promise<string> =>
    (await person.get('/events', params)).body.queue_id
  const queues = [await queueOf(anna), await queueOf(guest)] as const
  const after = org.state.position
  await sender(org.owner, open)('t', 'in the open')
  await sender(org.owner, closed)('t', 'behind doors')
  expect(await heardBy(anna, queues[0], after)).toEqual(['in the open'])
  expect(await heardBy(guest, queues[1], after)).toEqual([])
})

test('a user who becomes a guest no longer receives messages of all public channels', async () => {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel()
  const client = await anna.register({ all_public_streams: true, event_types: ['message'] })
  await sender(org.owner, channel)('t', 'before')
  expect(await client.events()).toMatchObject([{ type: 'message' }])
  await org.owner.patch(`/users/${anna.id}`, { role: 600 })
  await sender(org.owner, channel)('t', 'afterwards')
  expect(await client.events()).toEqual([])
})

test('the filters of a queue are limited in length', async () => {
  const org = await organization()
  const event_types = JSON.stringify(Array(3_000).fill('message'))
  for (const ask of [
    () => org.owner.post('/register', { event_types }),
    () => org.owner.post('/events', { method: 'GET', dont_block: true, event_types }),
  ]) {
    expect((await ask()).body.msg).toBe('event_types and narrow are too long')
  }
})
