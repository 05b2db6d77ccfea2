import { expect, test } from 'vitest'
import type { Wire } from '../../../../test/client.ts'
import { sender } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { ShapedEvent } from '../../../queues/queue.ts'
import { eventRequestLimits } from '../kernel/events/limits.ts'
import { textOfEvents } from './shared-events.ts'

const server = testServer()

async function client(person: Person) {
  const { queueId, state } = await person.register({ event_types: ['message'] })
  const params = { queue_id: queueId, last_event_id: state.last_event_id, dont_block: true }
  return async (headers: Record<string, string> = {}): Promise<Wire[]> => {
    const { body } = await person.get('/events', params, { headers })
    return body.events
  }
}

test('clients that get the same events get them whole, compressed or not, and each the flags of its own', async () => {
  const org = await server.organization()
  const people = await Promise.all([1, 2, 3, 4].map(() => org.person()))
  const channel = await org.channel({ subscribers: people })
  const send = sender(org.owner, channel)
  const polls = await Promise.all(people.map(client))
  const long = 'ä'.repeat(1_500)
  for (let i = 0; i < 4; i++) await send('topic', `${i} ${long}`)
  await send('topic', `@**${people[3]!.name}**`)
  for (const coding of ['identity', 'gzip', 'identity', 'gzip']) {
    const all = await Promise.all(polls.map((poll) => poll({ 'accept-encoding': coding })))
    for (const [i, events] of all.entries()) {
      expect(events.map(({ message }) => message.content.slice(3, 5))).toEqual(['0 ', '1 ', '2 ', '3 ', '<s'])
      expect(events[0]?.message.content).toBe(`<p>0 ${long}</p>`)
      expect(events[4]?.flags).toEqual(i === 3 ? ['mentioned'] : [])
    }
  }
})

test('a client that comes after a message was deleted does not get it', async () => {
  const org = await server.organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const polls = await Promise.all([1, 2, 3].map(() => client(org.owner)))
  const id = await sender(org.owner, channel)('topic', 'x'.repeat(5_000))
  const contents = (events: Wire[]) => events.flatMap(({ message }) => message?.content.length ?? [])
  for (const poll of polls.slice(0, 2)) expect(contents(await poll())).toEqual([5_007])
  await org.owner.delete(`/messages/${id}`)
  for (const poll of polls) expect(contents(await poll())).toEqual([])
})

test('an organization keeps a bounded number of such texts: those that it used last', async () => {
  const queues = server.node.app.queues.of((await server.organization()).log)
  const texts = Array.from({ length: 5 }, (_, i) => [
    new ShapedEvent(i, JSON.stringify('x'.repeat(eventRequestLimits.sharedEventBytes / 5))),
  ])
  const kept = (events: ShapedEvent[]) => typeof textOfEvents(queues, events) === 'object'
  for (const events of texts) expect([kept(events), kept(events)]).toEqual([false, true])
  expect(texts.map(kept)).toEqual([false, false, false, true, true])
})
