import { expect, test } from 'vitest'
import { everyCapability } from '../../test/client.ts'
import { heapInUse } from '../../test/memory.ts'
import { direct } from '../../test/messages.ts'
import type { Person } from '../../test/person.ts'
import { testServer } from '../../test/test-server.ts'
import { queueLimits } from './limits.ts'

const server = testServer()

/** Registers clients that get each message in another form. Returns the ids of their queues, and the last event that they have. */
async function clientsOfAllKinds(person: Person) {
  const kinds = [true, false].flatMap((client_gravatar) =>
    [true, false].map((empty_topic_name) => ({
      client_gravatar,
      client_capabilities: { ...everyCapability, empty_topic_name },
    })),
  )
  const registered = kinds.map((kind) =>
    person.post('/register', { event_types: ['message'], apply_markdown: true, ...kind }),
  )
  return (await Promise.all(registered)).map(({ body }) => ({
    queue_id: body.queue_id as string,
    last_event_id: body.last_event_id as number,
  }))
}

/** Reads the events of a queue. Returns how many there were. */
async function readAll(person: Person, from: { queue_id: string; last_event_id: number }) {
  let count = 0
  for (let last = from.last_event_id; ; ) {
    const { body } = await person.get('/events', { ...from, last_event_id: last, dont_block: true })
    if (body.events.length === 0) return count
    count += body.events.length
    last = body.events.at(-1).id
  }
}

test('large events take the memory that they may, in however many forms clients read them', async () => {
  const { owner } = await server.organization()
  const clients = await clientsOfAllKinds(owner)
  // Of each of these emoji, the text of the message has one character, and its HTML ninety.
  const content = '🙂'.repeat(3_000)
  // Twice what an organization may have in memory, and less than a node may.
  const messages = 40
  const before = heapInUse()
  for (let sent = 0; sent < messages; sent++) await direct(owner, [owner], content)
  for (const client of clients) expect(await readAll(owner, client)).toBe(messages)
  // Half of what an event counts is for the clients with a stream, of which there is none.
  expect(heapInUse() - before).toBeLessThan(0.65 * queueLimits.eventBytesInMemory)
})

test('those of many organizations take the memory of a node, and clients that are behind miss none', async () => {
  const mib = 1024 * 1024
  const perEvent = 8 * mib
  const perOrganization = queueLimits.eventBytesInMemory / perEvent - 1
  const count = (2 * queueLimits.eventBytesOfNode) / queueLimits.eventBytesInMemory
  const all = await Promise.all(Array.from({ length: count }, () => server.organization()))
  const clients = await Promise.all(all.map(({ owner }) => owner.register({ event_types: ['alert_words'] })))
  const before = heapInUse()
  for (const { log, owner } of all) {
    for (let i = 0; i < perOrganization; i++) {
      // In memory, each character takes two bytes because of the first one.
      const alert_words = [`→${String(i).repeat(perEvent / 2)}`]
      await log.commit(async (change) =>
        change.emit({ type: 'alert_words', alert_words }, { users: [owner.id] }),
      )
    }
  }
  expect(heapInUse() - before).toBeLessThan(1.2 * queueLimits.eventBytesOfNode)
  for (const client of [clients.at(-1)!, clients[0]!])
    expect(await client.events()).toHaveLength(perOrganization)
})
