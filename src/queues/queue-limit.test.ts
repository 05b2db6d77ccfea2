import { expect, test } from 'vitest'
import { testServer } from '../../test/test-server.ts'
import { queueLimits } from './limits.ts'

const { organization, pass } = testServer()

test('a user’s queues are limited in number: the one that was polled least recently ends', async () => {
  const org = await organization()
  const [ann, ben] = [await org.person(), await org.person()]
  const poll = async (who: typeof ann, queue_id: string) =>
    (await who.get('/events', { queue_id, last_event_id: -1, dont_block: true })).body.code
  const open = async (who: typeof ann) =>
    (await who.post('/register', { event_types: ['heartbeat'], fetch_event_types: [] })).body.queue_id
  const others = await open(ben)
  const ids = [await open(ann), await open(ann)]
  pass(10)
  while (ids.length < queueLimits.queuesPerUser) ids.push(await open(ann))
  // The first one is older, but in use.
  expect(await poll(ann, ids[0]!)).toBeUndefined()
  await open(ann)
  const codes = [ids[0]!, ids[1]!, ids[2]!].map((id) => poll(ann, id))
  expect(await Promise.all(codes)).toEqual([undefined, 'BAD_EVENT_QUEUE_ID', undefined])
  expect(await poll(ben, others)).toBeUndefined()
})

test('what a queue is to tell of has to be said in few words', async () => {
  const org = await organization()
  const person = await org.person()
  const types = Array.from({ length: 5_000 }, (_, i) => `type${i}`)
  const wordy = [{ event_types: types }, { narrow: [['topic', 'x'.repeat(30_000)]] }]
  for (const params of wordy) {
    const { status, body } = await person.post('/register', { ...params, fetch_event_types: [] })
    expect({ status, msg: body.msg }).toEqual({ status: 400, msg: 'event_types and narrow are too long' })
  }
})
