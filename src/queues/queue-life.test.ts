import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { direct } from '../../test/messages.ts'
import type { Person } from '../../test/person.ts'
import { testServer } from '../../test/test-server.ts'
import { prune } from '../log/prune.ts'

const day = 86_400
const server = testServer({ queueIdleSeconds: 3 * day })

/** Lets days pass in which the nodes regularly check for old queues, and removes old entries then. */
async function later(days: number, nodes = [server.node]) {
  for (let passed = 0; passed < days; passed++) {
    server.pass(day)
    for (const { app } of nodes) await app.queues.sweep()
  }
  await prune(server.node.app.realms.connections.db, 7, now() + skip(days))
}

/** Lets days pass in which the machine sleeps. */
async function sleep(days: number) {
  server.pass(days * day)
  skip(days)
  await server.node.app.queues.sweep()
}

const now = () => Math.floor(Date.now() / 1000)

let skipped = 0
function skip(days: number) {
  skipped += days * day
  return skipped
}

async function poll(person: Person, queueId: string, lastEventId: number) {
  const params = { queue_id: queueId, last_event_id: lastEventId, dont_block: true }
  return (await person.get('/events', params)).body
}

test('a queue in use lives on, however old it is, and whatever else has happened', async () => {
  const { owner } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['realm_user'] })
  for (let i = 0; i < 12; i++) {
    await direct(owner, [owner], 'nothing to that queue')
    await later(2)
    expect(await poll(owner, queueId, state.last_event_id)).toMatchObject({ result: 'success', events: [] })
  }
  await owner.patch(`/users/${owner.id}`, { full_name: 'New name' })
  expect((await poll(owner, queueId, state.last_event_id)).events).toMatchObject([{ type: 'realm_user' }])
})

test('what a client does not fetch is kept for a while, and not for ever', async () => {
  const { owner } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  const asks = () => poll(owner, queueId, state.last_event_id)
  await direct(owner, [owner], 'hello')
  await asks()
  for (let days = 0; days < 12; days += 2) {
    await later(2)
    expect((await asks()).events).toHaveLength(1)
  }
  await later(2)
  await later(1)
  // The first node still has it in memory.
  const there = owner.at({ ...owner.place, port: (await server.anotherNode()).port })
  expect(await poll(there, queueId, state.last_event_id)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

test('a queue that no client polls ends', async () => {
  const { owner } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  await later(4)
  expect(await poll(owner, queueId, state.last_event_id)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

test('a queue outlasts the sleep of the machine, and ends if its client does not return then', async () => {
  const { owner } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  await direct(owner, [owner], 'before the machine sleeps')
  await sleep(6)
  expect((await poll(owner, queueId, state.last_event_id)).events).toMatchObject([{ type: 'message' }])
  await sleep(6)
  await later(4)
  expect(await poll(owner, queueId, state.last_event_id)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

test('a queue outlasts a clock that was set back, and ends if its client does not return then', async () => {
  const { owner } = await server.organization()
  server.pass(100 * day)
  const [used, unused] = [await owner.register({}), await owner.register({})]
  await server.node.app.queues.sweep()
  server.pass(-100 * day)
  const asks = ({ queueId, state }: typeof used) => poll(owner, queueId, state.last_event_id)
  for (let days = 0; days < 8; days += 2) {
    expect(await asks(used)).toMatchObject({ result: 'success' })
    await later(2)
  }
  expect(await asks(unused)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  await later(4)
  expect(await asks(used)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

test('a log that was written while a clock was ahead gets no gaps, and does not grow for ever', async () => {
  const { owner, id } = await server.organization()
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  const message = { type: 'direct', to: [owner.id], content: 'before' }
  await owner.post('/messages', message, { headers: { 'idempotency-key': 'old' } })
  const [before] = (await poll(owner, queueId, state.last_event_id)).events
  server.pass(100 * day)
  await direct(owner, [owner], 'while it is ahead')
  server.pass(-100 * day)
  await direct(owner, [owner], 'after it was set back')
  const [, last] = (await poll(owner, queueId, before.id)).events
  for (let days = 0; days < 16; days++) {
    expect((await poll(owner, queueId, before.id)).events).toHaveLength(2)
    await later(1)
  }
  // The first node still has both in memory.
  const there = owner.at({ ...owner.place, port: (await server.anotherNode()).port })
  expect(await poll(there, queueId, before.id)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM event_log WHERE realm_id = ${id} AND id <= ${last.id}`.execute(
    server.node.app.realms.connections.db,
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('a queue that was deleted at one node ends at the others', async () => {
  const { owner, place } = await server.organization()
  const other = await server.anotherNode()
  const there = owner.at({ ...place, port: other.port })
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  expect(await poll(there, queueId, state.last_event_id)).toMatchObject({ result: 'success' })
  await owner.delete('/events', { queue_id: queueId })
  await other.app.queues.save()
  expect(await poll(there, queueId, state.last_event_id)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

test('a queue that one node deletes as idle leaves the memory of the others', async () => {
  const { owner, place } = await server.organization()
  const other = await server.anotherNode()
  const there = owner.at({ ...place, port: other.port })
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  expect(await poll(there, queueId, state.last_event_id)).toMatchObject({ result: 'success' })
  await other.app.queues.save()
  await later(4, [server.node, other])
  expect(other.app.queues.open.queues).toBe(0)
  expect(await poll(there, queueId, state.last_event_id)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})
