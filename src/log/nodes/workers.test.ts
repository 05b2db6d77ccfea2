import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../../test/person.ts'
import { type Node, startNode, testServer } from '../../../test/test-server.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { lostTopic, type Packet, Siblings } from '../../lib/siblings.ts'
import type { TraceAttributes } from '../../lib/tracer.ts'

// Two workers in one process, whose primary is the function `send`.

const all = testServer()
const workers: Node[] = []
const siblings = [1, 2].map((number) => new Siblings(number, 2, (packet) => send(packet)))
let isLinked = true
/** Questions that are on their way, if they are to stay there. */
let held: Packet[] | undefined
const statements: string[] = []
const tracer = {
  request(_parent: string | undefined, go: () => void) {
    go()
    return () => {}
  },
  step<T>(_name: string, attributes: TraceAttributes, work: () => Promise<T>) {
    if (attributes['db.query.text']) statements.push(String(attributes['db.query.text']))
    return work()
  },
}

beforeAll(async () => {
  for (const one of siblings) workers.push(await startNode(all.databaseUrl, { siblings: one, tracer }))
})

afterAll(async () => {
  for (const worker of workers) await worker.close()
})

function send(packet: Packet) {
  const { from, to } = packet
  const arrive = guard(ignore, () => siblings[(to === 'others' ? 3 - from : to) - 1]?.receive(packet))
  if (held && packet.kind === 'ask') held.push(packet)
  else if (isLinked) setImmediate(arrive)
  else if (packet.kind === 'ask')
    siblings[from - 1]!.receive({ ...packet, kind: 'gone', from: Number(to), to: from })
}

/**
 * Returns the owner of an organization at the worker that writes for it, and at the other one. They have sent themselves a
 * message, of which both workers know: the first one begins the conversation, which no batched write does.
 */
async function atBoth() {
  const { owner, place } = await all.organization()
  const at = workers.map(({ port }) => owner.at({ ...place, port }))
  const { body } = await owner.get('/server_settings')
  expect(body.result).toBe('success')
  const [subdomain] = place.host.split('.')
  const states = () =>
    Promise.all(workers.map(async ({ app }) => (await app.realms.bySubdomain(subdomain!))!.state))
  const { id } = firstIn(await states())
  const [writer, other] = id % 2 === 0 ? [at[0]!, at[1]!] : [at[1]!, at[0]!]
  await say(writer, 'the first')
  await expect.poll(async () => new Set((await states()).map(({ position }) => position)).size).toBe(1)
  return { writer, other }
}

const say = (person: Person, content: string) =>
  person.post('/messages', { type: 'direct', to: [person.id], content })

test('messages through two workers come to the clients of both, in one order', async () => {
  const { writer, other } = await atBoth()
  const clients = [
    await writer.register({ event_types: ['message'] }),
    await other.register({ event_types: ['message'] }),
  ]
  const contents = Array.from({ length: 40 }, (_, i) => `message ${i}`)
  const sent = await Promise.all(contents.map((content, i) => say(i % 2 ? writer : other, content)))
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
  expect(new Set(sent.map(({ body }) => body.id)).size).toBe(contents.length)
  const [first, second] = await Promise.all(
    clients.map(async (client) => {
      const received: { message: { id: number; content: string } }[] = []
      while (received.length < contents.length) received.push(...((await client.next()) as never[]))
      return received.map(({ message }) => message.id)
    }),
  )
  expect(first).toEqual(second)
  expect(first).toEqual([...first!].sort((a, b) => a - b))
})

test('a worker answers, and follows the other one, without a query', async () => {
  const { other } = await atBoth()
  const client = await other.register({ event_types: ['message'] })
  // The bodies of messages are read only by a worker that reads the log, which it also does by itself every two seconds.
  const reading: number[] = []
  for (const content of ['one', 'two', 'three', 'four', 'five']) {
    statements.length = 0
    const { body } = await say(other, content)
    expect(await client.next()).toMatchObject([{ message: { id: body.id, content: `<p>${content}</p>` } }])
    reading.push(statements.filter((text) => text.includes('FROM message_flag f')).length)
  }
  expect(reading).toContain(0)
})

test('what the writing worker refuses, the other one refuses in the same way', async () => {
  const { writer, other } = await atBoth()
  const { body } = await say(writer, 'to react to')
  const react = (person: Person) => person.post(`/messages/${body.id}/reactions`, { emoji_name: 'heart' })
  expect((await react(writer)).status).toBe(200)
  const [again, there] = [await react(writer), await react(other)]
  expect(there).toMatchObject({ status: again.status, body: again.body })
})

test('each kind of small write may be handed over', async () => {
  const { writer, other } = await atBoth()
  const client = await writer.register({ event_types: ['reaction', 'typing', 'presence'] })
  const { body } = await say(other, 'to react to')
  const writes = [
    await other.post(`/messages/${body.id}/reactions`, { emoji_name: 'heart' }),
    await other.post('/typing', { op: 'start', type: 'direct', to: [other.id] }),
    await other.post('/users/me/presence', { status: 'active' }),
  ]
  expect(writes.map(({ status }) => status)).toEqual([200, 200, 200])
  const types: string[] = []
  while (types.length < 3) types.push(...(await client.next()).map(({ type }) => type))
  expect(types.sort()).toEqual(['presence', 'reaction', 'typing'])
})

test('a worker writes itself while the other one is away, and says that it does not know if that ends', async () => {
  const { writer, other } = await atBoth()
  isLinked = false
  expect((await say(other, 'alone')).status).toBe(200)
  isLinked = true
  // Neither has heard of what the other has written meanwhile.
  expect((await say(writer, 'together')).status).toBe(200)
  const messages = async (person: Person) => {
    const { body } = await person.get('/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow: [],
    })
    return body.messages.map(({ content }: { content: string }) => content)
  }
  expect(await messages(other)).toEqual(await messages(writer))

  held = []
  const asked = say(other, 'interrupted')
  await expect.poll(() => held).toHaveLength(1)
  held = undefined
  for (const one of siblings) {
    for (const lost of [1, 2])
      one.receive({ kind: 'tell', from: 0, to: one.own, topic: lostTopic, data: `${lost}` })
  }
  expect((await asked).status).toBe(503)
})
