import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { everyCapability } from '../../test/client.ts'
import { direct } from '../../test/messages.ts'
import type { Person } from '../../test/person.ts'
import { testServer } from '../../test/test-server.ts'
import { queueLimits } from './limits.ts'

const server = testServer()

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes of the heap that are in use. */
function heap() {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

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
  const messages = 90
  const before = heap()
  for (let sent = 0; sent < messages; sent++) await direct(owner, [owner], content)
  for (const client of clients) expect(await readAll(owner, client)).toBe(messages)
  expect(heap() - before).toBeLessThan(1.5 * queueLimits.eventBytesInMemory)
})
