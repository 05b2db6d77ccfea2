import { expect, test } from 'vitest'
import { Person } from '../../../../../test/person.ts'
import { testServer } from '../../../../../test/test-server.ts'

const { organization, anotherNode } = testServer()

type Term = { operator: string; operand: unknown }

async function oneChannel() {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [anna] })
  const term: Term = { operator: 'channel', operand: channel.id }
  const send = (topic: string, content = 'hello') =>
    anna.post('/messages', { type: 'channel', to: channel.id, topic, content })
  const read = (reader: Person, narrow: Term[] = [term], more = {}) =>
    reader.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...more })
  return { org, anna, term, send, read }
}

test('older messages are read once for all who scroll back to them', async () => {
  const { org, anna, send, read } = await oneChannel()
  const ben = await org.person()
  const contents = Array.from({ length: 12 }, (_, i) => `<p>${i}</p>`)
  for (const i of contents.keys()) await send('tea', `${i}`)
  const pages = () => org.state.newest.use.pages
  /** Scrolls back to the oldest message, as clients do. */
  const scrollBack = async (reader: Person, include_anchor: boolean) => {
    const seen = new Map<number, string>()
    for (let anchor: string | number = 'newest', isEnd = false; !isEnd; anchor = Math.min(...seen.keys())) {
      const { body } = await read(reader, undefined, { anchor, num_before: 4, include_anchor })
      for (const { id, content } of body.messages) seen.set(id, content)
      isEnd = body.found_oldest
    }
    return [...seen].sort(([a], [b]) => a - b).map(([, content]) => content)
  }
  expect(await scrollBack(anna, false)).toEqual(contents)
  const before = pages()
  expect(await scrollBack(ben, true)).toEqual(contents)
  expect(pages() - before).toBe(4)
  await send('tea', '12')
  expect(await scrollBack(ben, false)).toEqual([...contents, '<p>12</p>'])
  expect(pages() - before).toBe(8)
})

test('topics without messages take no memory', async () => {
  const { org, anna, term, send, read } = await oneChannel()
  await send('tea')
  for (const topic of ['coffee', 'milk', 'tea'])
    await read(anna, [term, { operator: 'topic', operand: topic }])
  expect(org.state.newest.use.runs).toBe(1)
})

test('bytes of pages are counted when they are made, as long as they are', async () => {
  const { org, anna, send, read } = await oneChannel()
  const ben = await org.person()
  await send('tea', '茶'.repeat(5000))
  await read(anna)
  const { bytes } = org.state.newest.use
  // Ben is another kind of reader than the sender.
  for (const client_gravatar of [true, false]) await read(ben, undefined, { client_gravatar })
  expect(org.state.newest.use.pages).toBe(2)
  expect(org.state.newest.use.bytes - bytes).toBeGreaterThan(2 * 3 * 5000)
  const again = org.state.newest.use.bytes
  await read(ben)
  expect(org.state.newest.use.bytes).toBe(again)
})

test('no bytes are kept of a conversation of many people', async () => {
  const org = await organization()
  const people: Person[] = []
  for (let i = 0; i < 30; i++) people.push(await org.person({ name: `Person ${i}`.repeat(8) }))
  const to = people.map(({ id }) => id)
  await people[0]!.post('/messages', { type: 'direct', to, content: 'hello' })
  const narrow = [{ operator: 'dm', operand: to }]
  const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
  await people[1]!.get('/messages', page)
  const { bytes } = org.state.newest.use
  const { body } = await people[1]!.get('/messages', page)
  expect(body.messages).toHaveLength(1)
  expect(org.state.newest.use).toEqual({ runs: 1, bytes, pages: 1 })
})

test('messages leave memory with the state of their organization', async () => {
  const { org, anna, send, read } = await oneChannel()
  await send('tea')
  const { port, app } = await anotherNode()
  const there = new Person({ ...anna.place, port }, anna)
  const log = await app.realms.byId(org.id)
  const leave = [
    () => log.startOver(),
    async () => app.realms.releaseIdle(Number.POSITIVE_INFINITY, ({ state }) => state.id !== org.id),
  ]
  for (const action of leave) {
    await read(there)
    const { newest } = log.state
    expect(newest.use.runs).toBe(1)
    await action()
    expect(newest.use).toMatchObject({ runs: 0, bytes: 0 })
  }
  // The test has used the log meanwhile, so that it is the same.
  await read(there)
  expect(log.state.newest.use.runs).toBe(1)
})
