import { expect, test } from 'vitest'
import { EventStream } from '../../test/event-stream.ts'
import { direct } from '../../test/messages.ts'
import type { Person } from '../../test/person.ts'
import { testServer } from '../../test/test-server.ts'

const server = testServer()

/** Polls; knows whether there is a response. */
function polling(person: Person, queueId: string, lastEventId: number) {
  const poll = { isAnswered: false, events: Promise.resolve([] as { id: number; type: string }[]) }
  poll.events = person.get('/events', { queue_id: queueId, last_event_id: lastEventId }).then(({ body }) => {
    poll.isAnswered = true
    return body.events
  })
  return poll
}

const waiting = () => server.node.app.queues.open

/** Two clients that poll one queue. */
async function twoPolls() {
  const { owner } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  const first = polling(owner, queueId, state.last_event_id)
  await expect.poll(waiting).toMatchObject({ polls: 1 })
  const second = polling(owner, queueId, state.last_event_id)
  await expect.poll(waiting).toMatchObject({ polls: 2 })
  return { owner, queueId, first, second }
}

test('of two clients that poll one queue the later one gets its events, and the other does not return immediately', async () => {
  const { owner, queueId, first, second } = await twoPolls()
  await direct(owner, [owner], 'hello')
  const heard = await second.events
  expect(heard).toMatchObject([{ type: 'message', message: { content: '<p>hello</p>' } }])
  expect(first.isAnswered).toBe(false)
  const [last, ...others] = await first.events
  expect([last, others]).toMatchObject([{ type: 'heartbeat' }, []])
  expect(waiting()).toMatchObject({ polls: 0 })
  // Neither has acknowledged the message, so both may have it.
  expect(await polling(owner, queueId, last!.id).events).toEqual(heard)
})

test('a stream whose queue another client takes over stays open a little, without events', async () => {
  const { owner } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  const stream = new EventStream(owner, queueId, { lastEventId: state.last_event_id })
  await expect.poll(() => stream.text).toContain(': up to date')
  const poll = polling(owner, queueId, state.last_event_id)
  await expect.poll(waiting).toMatchObject({ polls: 1, eventStreams: 1 })
  await direct(owner, [owner], 'hello')
  expect(await poll.events).toMatchObject([{ type: 'message' }])
  expect(stream.isOver).toBe(false)
  await stream.ended
  expect(stream.events).toEqual([])
  expect(waiting()).toMatchObject({ polls: 0, eventStreams: 0 })
})

test('all clients of a queue that is deleted get their responses', async () => {
  const { owner, queueId, first, second } = await twoPolls()
  await owner.delete('/events', { queue_id: queueId })
  for (const { events } of [first, second]) expect(await events).toMatchObject([{ type: 'heartbeat' }])
  expect(waiting()).toMatchObject({ polls: 0 })
})
