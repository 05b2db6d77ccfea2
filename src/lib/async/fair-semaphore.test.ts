import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const waitingLimits = { most: 100, each: 50 }

const never = new AbortController().signal

type Asking = { group?: string; caller?: string; groupMost?: number; seconds?: number; signal?: AbortSignal }

/** Takes slots, and records the order. The caller is the first letter of the name. */
function queueOf(turns: FairSemaphore) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, asking: Asking = {}) => {
    const { group = 'all', caller = name[0]!, seconds = 60, signal = never, groupMost } = asking
    const who = { group, name: caller, ...(groupMost !== undefined && { groupMost }) }
    const turn = turns.take(who, seconds, signal)
    turn.then(
      (end) => {
        begun.push(name)
        ends.set(name, end)
      },
      () => {},
    )
    return turn
  }
  const end = (name: string) => {
    ends.get(name)!()
    return settled()
  }
  return { begun, ask, end }
}

test('a limited number of slots is held at the same time, and the others follow as these are released', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(2, 2, waitingLimits))
  for (const name of ['a', 'b', 'c', 'd']) ask(name)
  await settled()
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('a caller at its limit does not delay callers that come later', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(3, 2, waitingLimits))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) ask(name)
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun.at(-1)).toBe('c1')
  await end('c1')
  await end('a1')
  expect(begun.at(-1)).toBe('a3')
})

test('slots rotate: no caller waits for everything that another has asked for', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(1, 1, waitingLimits))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name)
  await settled()
  for (let i = 0; i < 5; i++) await end(begun.at(-1)!)
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a caller that asks again and again does not overtake waiting callers', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(1, 1, waitingLimits))
  for (const name of ['a1', 'b1', 'b2']) ask(name)
  await settled()
  for (let i = 0; i < 3; i++) {
    ask(`c${i}`)
    await end(begun.at(-1)!)
  }
  expect(begun).toEqual(['a1', 'b1', 'c0', 'b2'])
})

test('groups take turns as well, however many callers they have', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(1, 1, waitingLimits))
  for (const name of ['a', 'b', 'c', 'd']) ask(name, { group: 'large' })
  for (const name of ['x', 'y']) ask(name, { group: 'small' })
  await settled()
  for (let i = 0; i < 5; i++) await end(begun.at(-1)!)
  expect(begun).toEqual(['a', 'x', 'b', 'y', 'c', 'd'])
})

test('few callers cannot take all turns, as each leaves as many free as it has', async () => {
  const { begun, ask } = queueOf(new FairSemaphore(30, 6, waitingLimits))
  for (const caller of 'abcde') {
    for (let i = 0; i < 10; i++) ask(`${caller}${i}`)
  }
  await settled()
  expect(begun.length).toBeLessThan(30)
  ask('late')
  await settled()
  expect(begun.at(-1)).toBe('late')
})

test('a group may have a limit of its own', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(10, 1, waitingLimits))
  for (const name of ['a', 'b', 'c']) ask(name, { group: 'strangers', groupMost: 2 })
  ask('x')
  await settled()
  expect(begun).toEqual(['a', 'b', 'x'])
  await end('a')
  expect(begun.at(-1)).toBe('c')
})

test('no request waits longer than its limit, nor after its caller has left', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(1, 1, waitingLimits))
  const leaver = new AbortController()
  ask('a')
  const late = ask('b', { seconds: 0.01 })
  const left = ask('c', { signal: leaver.signal })
  ask('d')
  leaver.abort()
  await expect(left).rejects.toThrow()
  await expect(late).rejects.toThrow()
  await expect(ask('e', { signal: AbortSignal.abort() })).rejects.toThrow()
  await end('a')
  expect(begun).toEqual(['a', 'd'])
})

test('as many wait as there is room for, each caller no more than what is left for others', async () => {
  const { begun, ask, end } = queueOf(new FairSemaphore(1, 1, { most: 6, each: 3 }))
  ask('x')
  const refused: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'c1', 'd1']) {
    ask(name).catch(({ isOwnExcess }) => refused.push(isOwnExcess ? `${name} for its own` : name))
  }
  await settled()
  expect(refused).toEqual(['a4 for its own', 'b3', 'd1'])
  for (let i = 0; i < 6; i++) await end(begun.at(-1)!)
  expect(begun).toEqual(['x', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  await end('a3')
  ask('d2')
  await settled()
  expect(begun.at(-1)).toBe('d2')
})

test('a caller that leaves slots free for others takes only those beyond', async () => {
  const turns = new FairSemaphore(4, 4, waitingLimits)
  const modest = { group: 'all', name: 'modest', leaves: 3 }
  expect(turns.obstacle(modest)).toBeUndefined()
  turns.takeFree(modest)
  expect(turns.obstacle({ ...modest, name: 'other' })).toBe('all')
  expect(turns.obstacle({ group: 'all', name: 'urgent' })).toBeUndefined()
})
