import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { guard, ignore } from './guard.ts'
import { lostTopic, type Packet, SiblingGone, Siblings } from './siblings.ts'

/** Two workers that reach each other, by numbers from 1. */
function pair() {
  const both: Siblings[] = []
  const send = ({ to, from, ...packet }: Packet) => {
    const other = both[(to === 'others' ? 3 - from : to) - 1]!
    setImmediate(guard(ignore, () => other.receive({ to, from, ...packet })))
  }
  for (const number of [1, 2]) both.push(new Siblings(number, 2, send))
  return both as [Siblings, Siblings]
}

const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error) => error,
  )

test('a worker asks another one, which answers or fails', async () => {
  const [one, two] = pair()
  two.hear<number>('double', (number, from) => ({ doubled: 2 * number, from }))
  two.hear('refuse', () => {
    throw new ApiError('Too many', 'TOO_MANY', 429, { wait: 3 })
  })
  two.hear('break', () => {
    throw Object.assign(new Error('twice'), { code: '23505', constraint: 'a_key' })
  })
  expect(await one.ask(2, 'double', 4)).toEqual({ doubled: 8, from: 1 })
  const refused = await failureOf(one.ask(2, 'refuse'))
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ message: 'Too many', code: 'TOO_MANY', status: 429, data: { wait: 3 } })
  expect(await failureOf(one.ask(2, 'break'))).toMatchObject({
    message: 'twice',
    code: '23505',
    constraint: 'a_key',
  })
})

test('an answer settles only the question that it answers', async () => {
  const asked: Packet[] = []
  const [before, one] = [1, 1].map((number) => new Siblings(number, 3, (packet) => asked.push(packet))) as [
    Siblings,
    Siblings,
  ]
  void before.ask(2, 'double')
  const answer = one.ask(2, 'double')
  const [first, second] = asked.map(({ id }) => id)
  const settle = (id: number | undefined, from: number, data: string) =>
    one.receive({ kind: 'answer', from, to: 1, topic: 'double', id: id!, data })
  settle(first, 2, '"to the process before"')
  settle(second, 3, '"of another process"')
  settle(second, 2, '"right"')
  expect(await answer).toBe('right')
})

test('a question ends if it is not answered in time', async () => {
  const [one, two] = pair()
  two.hear('write', () => new Promise(() => {}))
  expect(await failureOf(one.ask(2, 'write', null, 0.01))).toMatchObject({ isDelivered: true })
})

test('a worker that closes says that it was not asked', async () => {
  const [one, two] = pair()
  two.hear('write', () => 'written')
  expect(await one.ask(2, 'write')).toBe('written')
  two.ignore('write')
  expect(await failureOf(one.ask(2, 'write'))).toMatchObject({ isDelivered: false })
})

test('a question to a worker that does not serve yet was not delivered; to one that ends, it may have been', async () => {
  const [one, two] = pair()
  const early = await failureOf(one.ask(2, 'write'))
  expect(early).toBeInstanceOf(SiblingGone)
  expect(early.isDelivered).toBe(false)

  two.hear('write', () => new Promise(() => {}))
  const asked = failureOf(one.ask(2, 'write'))
  one.receive({ kind: 'tell', from: 0, to: 1, topic: lostTopic, data: '2' })
  expect(await asked).toMatchObject({ name: 'SiblingGone', isDelivered: true })
})
