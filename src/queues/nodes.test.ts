import { expect, test } from 'vitest'
import { newOrganization } from '../../test/organization.ts'
import type { Person } from '../../test/person.ts'
import { DatabaseLine } from '../../test/programs/database-line.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { startNode, testServer } from '../../test/test-server.ts'

const { organization, anotherNode } = testServer()

test('a client that waits at one node hears what is sent at another', async () => {
  const { owner, place } = await organization()
  const there = owner.at({ ...place, port: (await anotherNode()).port })
  const client = await there.register({ event_types: ['message'] })
  const waiting = client.next()
  const { body } = await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'over here' })
  expect(await waiting).toMatchObject([
    { type: 'message', message: { id: body.id, content: '<p>over here</p>' } },
  ])
})

test('a client that waits at one node hears of an edit at another, with its flags', async () => {
  const { owner, place } = await organization()
  const there = owner.at({ ...place, port: (await anotherNode()).port })
  const direct = { type: 'direct', to: [owner.id], content: 'over here' }
  const { id } = (await owner.post('/messages', direct)).body
  for (const flag of ['starred', 'read']) {
    await owner.post('/messages/flags', { messages: [id], op: 'add', flag })
  }
  const client = await there.register({ event_types: ['update_message'] })
  const waiting = client.next()
  await owner.patch(`/messages/${id}`, { content: 'over there' })
  expect(await waiting).toMatchObject([
    {
      type: 'update_message',
      message_id: id,
      rendered_content: '<p>over there</p>',
      flags: ['starred', 'read'],
    },
  ])
})

test('a client goes on at another node, however far that one has come', async () => {
  const { owner, place } = await organization()
  const there = owner.at({ ...place, port: (await anotherNode()).port })
  const { queueId, state } = await owner.register({ event_types: ['message'] })
  let last = state.last_event_id
  for (let i = 0; i < 20; i++) {
    await owner.post('/messages', { type: 'direct', to: [owner.id], content: `${i}` })
    for (const person of [owner, there]) {
      const { body } = await person.get('/events', {
        queue_id: queueId,
        last_event_id: last,
        dont_block: true,
      })
      expect(body).toMatchObject({ result: 'success' })
      if (person === owner) expect(body.events).toHaveLength(1)
      last = body.events.at(-1)?.id ?? last
    }
  }
})

test('clients that come from another node together make theirs look once for their queues, and for what they have seen', async () => {
  const { url, drop } = await newDatabase()
  const line = await DatabaseLine.to(url)
  line.stopAfter('LISTEN')
  const [deaf, other] = [await startNode(line.url), await startNode(url)]
  try {
    const { owner } = await newOrganization(deaf, '')
    const beside = owner.at(other)
    const queues = await Promise.all(
      Array.from({ length: 20 }, () => beside.register({ event_types: ['message'] })),
    )
    const poll = (who: Person, queue_id: string, last_event_id: number) =>
      who.get('/events', { queue_id, last_event_id, dont_block: true })
    const pollAll = (who: Person, last: number) =>
      Promise.all(queues.map(({ queueId }) => poll(who, queueId, last)))
    await poll(owner, queues[0]!.queueId, queues[0]!.state.last_event_id)
    const found = line.counter('event_queue')
    await pollAll(owner, queues[0]!.state.last_event_id)
    expect(found()).toBeLessThan(queues.length / 2)
    const { id } = (await beside.post('/messages', { type: 'direct', to: [owner.id], content: 'x' })).body
    const [heard] = (await poll(beside, queues[0]!.queueId, queues[0]!.state.last_event_id)).body.events
    expect(heard).toMatchObject({ message: { id } })
    const looks = line.counter('head:')
    for (const { body } of await pollAll(owner, heard.id)) expect(body).toMatchObject({ events: [] })
    expect(looks()).toBeLessThan(queues.length / 2)
  } finally {
    await deaf.close()
    await other.close()
    await line.close()
    await drop()
  }
})
