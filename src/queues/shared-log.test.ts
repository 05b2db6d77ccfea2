import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Wire } from '../../test/client.ts'
import { sender } from '../../test/messages.ts'
import { newOrganization } from '../../test/organization.ts'
import type { Person } from '../../test/person.ts'
import { DatabaseLine } from '../../test/programs/database-line.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { type Node, startNode } from '../../test/test-server.ts'
import { prune } from '../log/prune.ts'

const day = 86_400
const clients = 10

let database: Awaited<ReturnType<typeof newDatabase>>
let line: DatabaseLine
let [node, there]: Node[] = []
let organizations = 0

beforeAll(async () => {
  database = await newDatabase()
  line = await DatabaseLine.to(database.url)
  node = await startNode(database.url)
  there = await startNode(line.url)
})

afterAll(async () => {
  await there?.close()
  await node?.close()
  await line?.close()
  await database?.drop()
})

/** Returns users with a queue each, the second half a message later, who return to a node that has none of the events in memory. */
async function returning() {
  const org = await newOrganization(node!, `returning${++organizations}`)
  const people = await Promise.all(Array.from({ length: clients }, () => org.person()))
  const register = (some: Person[]) =>
    Promise.all(some.map((person) => person.register({ event_types: ['message'] })))
  const send = sender(org.owner, await org.channel({ subscribers: people }))
  const early = await register(people.slice(0, clients / 2))
  await send('topic', 'one')
  const late = await register(people.slice(clients / 2))
  await send('topic', 'two')
  const at = (person: Person) => person.at({ ...person.place, port: there!.port })
  const poll = (person: Person, { queueId, state }: (typeof early)[number]) =>
    at(person).get('/events', {
      queue_id: queueId,
      last_event_id: state.last_event_id,
      dont_block: true,
    })
  const polls = [...early, ...late].map((queue, i) => async () => (await poll(people[i]!, queue)).body)
  const look = () => at(org.owner).get('/users/me')
  await look()
  return { polls, look }
}

const contents = ({ events }: Wire) => events.map(({ message }: Wire) => message.content)

const missed = Array.from({ length: clients }, (_, i) =>
  i < clients / 2 ? ['<p>one</p>', '<p>two</p>'] : ['<p>two</p>'],
)

test('clients that return together share what a node reads of the log for them', async () => {
  const { polls, look } = await returning()
  const [reads, bodies] = [line.counter('from "event_log"'), line.counter('has_alert_word')]
  const held = line.holdBack('from "event_log"', 'from "event_queue"')
  const known = there!.app.queues.open.queues
  const answers = polls.map((poll) => poll())
  await expect.poll(() => there!.app.queues.open.queues).toBe(known + clients)
  await look()
  await expect.poll(() => held.release).toBeDefined()
  held.release?.()
  expect((await Promise.all(answers)).map(contents)).toEqual(missed)
  expect(reads()).toBeLessThan(clients / 2)
  expect(bodies()).toBeLessThan(clients / 2)
})

test('clients that return one after the other get what each has missed', async () => {
  const { polls } = await returning()
  const found = new Map<number, string[]>()
  for (const [i, poll] of [...polls.entries()].reverse()) found.set(i, contents(await poll()))
  expect(missed.map((_, i) => found.get(i))).toEqual(missed)
})

test('a client that has missed messages with very long histories gets them in several reads', async () => {
  const org = await newOrganization(node!, `returning${++organizations}`)
  const [anna, length] = [await org.person(), 1_000_000]
  const send = sender(org.owner, await org.channel({ subscribers: [anna] }))
  const { queueId, state } = await anna.register({ event_types: ['message'] })
  const sent: number[] = []
  while (sent.length < 24) sent.push(await send('topic', 'text'))
  await org.log.commit((change) =>
    change.run(sql`
      UPDATE message SET edit_history = jsonb_build_array(
        jsonb_build_object('user_id', ${anna.id}::integer, 'at', 1, 'content', repeat('x', ${length}), 'rendered', ''))
      WHERE realm_id = ${org.id}`),
  )
  const fresh = await startNode(line.url)
  const bodies = line.counter('has_alert_word')
  const found: number[] = []
  while (found.length < sent.length) {
    const last_event_id = state.last_event_id + found.length
    const query = { queue_id: queueId, last_event_id, dont_block: true }
    const { body } = await anna.at({ ...anna.place, port: fresh.port }).get('/events', query)
    expect(body.events.length).toBeGreaterThan(0)
    found.push(...body.events.map(({ message }: Wire) => message.id))
  }
  expect(found).toEqual(sent)
  await fresh.close()
  expect(bodies()).toBeGreaterThan(1)
})

test('clients that return after the log was pruned register anew, and make a node look for their events once', async () => {
  const { polls } = await returning()
  await prune(node!.app.realms.connections.db, 7, Math.floor(Date.now() / 1000) + 15 * day)
  const reads = line.counter('from "event_log"')
  for (const poll of polls) expect(await poll()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  expect(reads()).toBeLessThan(clients / 2)
})
