import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventStream } from '../../../../test/event-stream.ts'
import { direct } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, anotherNode } = testServer()

async function listener(person: Person) {
  const { queueId, state } = await person.register({ event_types: ['message'] })
  return { queueId, start: state.last_event_id as number }
}

async function sendSome(person: Person, count: number) {
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push(await direct(person, [person], `${i} ${'é'.repeat(i % 7)}`))
  return ids
}

test('a stream that breaks after any byte resumes after the last event that its client has', async () => {
  const { owner, place } = await organization()
  const there = owner.at({ ...place, port: (await anotherNode()).port })
  const cuts = fc.array(
    fc.record({
      cutAfter: fc.integer({ min: 0, max: 4_000 }),
      byHeader: fc.boolean(),
      elsewhere: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(cuts, async (breaks) => {
      const { queueId, start } = await listener(owner)
      const sent = await sendSome(owner, 6)
      let lastEventId = start
      const heard: number[] = []
      const listen = async (stream: EventStream, isDone: () => boolean) => {
        while (!stream.isOver && !isDone()) await sleep(2)
        await stream.close()
        expect([0, 200]).toContain(stream.status)
        for (const event of stream.events) {
          lastEventId = event.id
          if (event.type === 'message') heard.push(event.message.id)
        }
      }
      for (const { elsewhere, ...options } of breaks) {
        const stream = new EventStream(elsewhere ? there : owner, queueId, { lastEventId, ...options })
        await listen(stream, () => heard.length + stream.events.length >= sent.length)
      }
      const rest = new EventStream(owner, queueId, { lastEventId })
      await listen(rest, () => heard.length + rest.events.length >= sent.length)
      expect(heard).toEqual(sent)
    }),
    { numRuns: 8, examples: [[[{ cutAfter: 0, byHeader: false, elsewhere: false }]]] },
  )
})

test('a client that returns to a stream, or continues by polling, has lost no event that it did not acknowledge', async () => {
  const { owner } = await organization()
  const { queueId, start } = await listener(owner)
  const stream = new EventStream(owner, queueId, { lastEventId: start })
  await expect.poll(() => stream.status).toBe(200)
  const sent = await sendSome(owner, 3)
  await expect.poll(() => stream.events).toHaveLength(3)
  await stream.close()
  const params = { queue_id: queueId, dont_block: true }
  const poll = async (lastEventId: number) =>
    (await owner.get('/events', { ...params, last_event_id: lastEventId })).body
  const { events } = await poll(start)
  expect(events.map((event: { message: { id: number } }) => event.message.id)).toEqual(sent)
  expect((await poll(events[1].id)).events).toHaveLength(1)
})

test('a stream ends when another client of its queue comes, and does not come back by itself', async () => {
  const { owner } = await organization()
  const { queueId, start } = await listener(owner)
  const open = async () => {
    const stream = new EventStream(owner, queueId, { lastEventId: start })
    await expect.poll(() => stream.text).toContain(': up to date')
    return stream
  }
  const first = await open()
  const second = await open()
  await expect.poll(() => first.isOver).toBe(true)
  const poll = owner.get('/events', { queue_id: queueId, last_event_id: start })
  await expect.poll(() => second.isOver).toBe(true)
  const third = await open()
  expect((await poll).body.events).toMatchObject([{ type: 'heartbeat' }])
  const [sent] = await sendSome(owner, 1)
  await expect.poll(() => third.events).toMatchObject([{ message: { id: sent } }])
  expect([...first.events, ...second.events]).toEqual([])
  await third.close()
})

test('a stream goes on where it was when a client that did not read reads again', async () => {
  const { owner } = await organization()
  const { queueId, state } = await owner.register({ event_types: ['message'], apply_markdown: true })
  const stream = new EventStream(owner, queueId, { lastEventId: state.last_event_id })
  await expect.poll(() => stream.text).toContain(': up to date')
  stream.pause()
  // Each is four times as long in HTML.
  const content = '<'.repeat(9_000)
  const sent: number[] = []
  for (let i = 0; i < 100; i++) sent.push(await direct(owner, [owner], content))
  stream.resume()
  await expect.poll(() => stream.events.map(({ message }) => message.id)).toEqual(sent)
  await stream.close()
})

/** Sends a person large messages, so few at a time that a busy machine refuses none. Returns their ids. */
async function sendLarge(person: Person, count: number): Promise<number[]> {
  const ids: number[] = []
  const next = () => direct(person, [person], '<'.repeat(9_900))
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: 10 }, next))))
  return ids
}

test('the server holds little for a client that does not read its stream', async () => {
  const { owner } = await organization()
  const { queueId, state } = await owner.register({ event_types: ['message'], apply_markdown: true })
  const sendAll = () => sendLarge(owner, 300)
  await sendAll()
  const stream = new EventStream(owner, queueId, { lastEventId: state.last_event_id, startsPaused: true })
  await expect.poll(() => stream.status).toBe(200)
  await sendAll()
  await owner.delete('/events', { queue_id: queueId })
  stream.resume()
  await expect.poll(() => stream.isOver).toBe(true)
  // Of 24 MB, it gets what the network had taken.
  expect(stream.text.length).toBeLessThan(8e6)
  const ids = stream.events.map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, i) => ids[0] + i))
})

test('events that wait are polled in several answers, if they are large', async () => {
  const { owner } = await organization()
  const { queueId, state } = await owner.register({ event_types: ['message'], apply_markdown: true })
  const sent = await sendLarge(owner, 90)
  const polled: number[] = []
  for (let last = state.last_event_id; polled.length < sent.length; ) {
    const { events } = (
      await owner.get('/events', { queue_id: queueId, last_event_id: last, dont_block: true })
    ).body
    expect(events.length).toBeGreaterThan(0)
    expect(JSON.stringify(events).length).toBeLessThan(3 * 1024 * 1024)
    polled.push(...events.map((event: { message: { id: number } }) => event.message.id))
    last = events.at(-1).id
  }
  expect(polled).toEqual(sent.toSorted((a, b) => a - b))
})

test('a stream ends when its queue is deleted', async () => {
  const { owner } = await organization()
  const { queueId, start } = await listener(owner)
  const stream = new EventStream(owner, queueId, { lastEventId: start })
  await expect.poll(() => stream.status).toBe(200)
  expect((await owner.delete('/events', { queue_id: queueId })).body.result).toBe('success')
  await sendSome(owner, 1)
  await expect.poll(() => stream.isOver).toBe(true)
  expect(stream.events).toEqual([])
})

test('a client that goes back behind an acknowledged event must register again', async () => {
  const { owner } = await organization()
  const { queueId, start } = await listener(owner)
  await sendSome(owner, 1)
  const poll = (lastEventId: number) =>
    owner.get('/events', { queue_id: queueId, last_event_id: lastEventId, dont_block: true })
  await poll(start + 1)
  expect(await poll(start)).toMatchObject({
    status: 400,
    body: {
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: queueId,
      msg: `An event newer than ${start} has already been pruned!`,
    },
  })
  expect((await poll(-1)).body.code).toBe('BAD_REQUEST')
})

test('a reconnecting browser’s header takes precedence over the address, which it cannot change', async () => {
  const { owner } = await organization()
  const { queueId, start } = await listener(owner)
  await sendSome(owner, 2)
  const first = new EventStream(owner, queueId, { lastEventId: start })
  await expect.poll(() => first.events).toHaveLength(2)
  await first.close()
  const [one, two] = first.events
  const headers = { accept: 'text/event-stream', 'last-event-id': '' }
  const { body } = await owner.get('/events', { queue_id: queueId }, { headers })
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: "Missing 'last_event_id' argument" })
  const stream = new EventStream(owner, queueId, { lastEventId: one!.id, byHeader: true })
  await expect.poll(() => stream.events).toMatchObject([{ id: two!.id }])
  await stream.close()
})
