import { expect, test } from 'vitest'
import { direct, sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')

test.each<[what: string, narrow: unknown, msg: string]>([
  ['long searches', [['search', 'word '.repeat(250)]], 'search operand is too long (limit: 1000 characters)'],
  ['many words', [['search', words(110)]], 'search has too many words (limit: 100)'],
  ['many terms', Array(101).fill(['is', 'unread']), 'narrow has too many values (limit: 100)'],
  ['endless narrows', [['search', words(65_000)]], 'narrow is too long (limit: 50000 characters)'],
])('rejects %s in every parameter that takes a narrow', async (_, narrow, msg) => {
  const { owner } = await organization()
  const page = { anchor: 0, num_before: 0, num_after: 1 }
  const answers = [
    await owner.post('/messages', { method: 'GET', ...page, narrow }),
    await owner.post('/messages/matches_narrow', { method: 'GET', msg_ids: [1], narrow }),
    await owner.post('/messages/flags/narrow', { ...page, op: 'add', flag: 'read', narrow }),
  ]
  for (const { status, body } of answers) expect({ status, msg: body.msg }).toEqual({ status: 400, msg })
})

test.each(['/register', '/events'])('%s rejects narrows that take long for every message', async (path) => {
  const { owner } = await organization()
  const ask = async (narrow: [string, string][]) => {
    const { status, body } = await owner.post(path, {
      ...(path === '/events' && { method: 'GET' }),
      dont_block: true,
      narrow,
    })
    return { status, msg: body.msg }
  }
  expect(await ask(Array(20).fill(['is', 'unread']))).toEqual({ status: 200, msg: '' })
  const tooMany = 'narrow has too many values (limit: 20)'
  expect(await ask(Array(21).fill(['is', 'unread']))).toEqual({ status: 400, msg: tooMany })
  const tooLong = 'narrow is too long (limit: 50000 characters)'
  expect(await ask([['topic', 'x'.repeat(60_000)]])).toEqual({ status: 400, msg: tooLong })
})

test('the narrow of a queue is evaluated with the names of the time of the event', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const [old, other] = [
    await org.channel({ subscribers: [anna, ben] }),
    await org.channel({ subscribers: [anna, ben] }),
  ]
  const hear = (...narrow: [string, string][]) => ben.register({ narrow, event_types: ['message'] })
  const clients = {
    named: await hear(['channel', 'the place']),
    fromAnna: await hear(['sender', anna.email]),
    withAnna: await hear(['dm', anna.email]),
    direct: await hear(['is', 'dm']),
    general: await hear(['topic', '']),
  }
  // Events from before the request are evaluated with the state of the request.
  const heard = async () => {
    const contents: Record<string, string[]> = {}
    for (const [name, client] of Object.entries(clients)) {
      contents[name] = (await client.events()).map(({ message }) => message.content.replace(/<.?p>/g, ''))
    }
    return contents
  }
  await sender(anna, old)('', 'one')
  expect(await heard()).toEqual({ named: [], fromAnna: ['one'], withAnna: [], direct: [], general: ['one'] })
  await org.owner.patch(`/streams/${old.id}`, { new_name: 'the place' })
  await heard()
  await sender(ben, old)('t', 'two')
  await direct(anna, [ben], 'three')
  expect(await heard()).toEqual({
    named: ['two'],
    fromAnna: ['three'],
    withAnna: ['three'],
    direct: ['three'],
    general: [],
  })
  await org.owner.patch(`/streams/${old.id}`, { new_name: 'no more' })
  await org.owner.patch(`/streams/${other.id}`, { new_name: 'the place' })
  await heard()
  await sender(ben, old)('', 'four')
  await sender(ben, other)('t', 'five')
  expect(await heard()).toEqual({
    named: ['five'],
    fromAnna: [],
    withAnna: [],
    direct: [],
    general: ['four'],
  })
})
