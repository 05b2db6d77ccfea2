import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const never = new AbortController().signal

/** Takes turns one after the other, and notes whose have come. */
function queueOf(turns: Turns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (name: string, { caller = name[0]!, seconds = 60, signal = never } = {}) => {
    const turn = turns.take(caller, seconds, signal)
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
    return sleep(0)
  }
  return { begun, ask, end }
}

test('so many have their turn at once, and the others one after the other as these end', async () => {
  const { begun, ask, end } = queueOf(new Turns(2, 2))
  for (const name of ['a', 'b', 'c', 'd']) ask(name)
  await sleep(0)
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('who has as many turns as one may have keeps nobody waiting who comes later', async () => {
  const { begun, ask, end } = queueOf(new Turns(3, 2))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) ask(name)
  await sleep(0)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun.at(-1)).toBe('c1')
  await end('c1')
  expect(begun.at(-1)).toBe('c1')
  await end('a1')
  expect(begun.at(-1)).toBe('a3')
})

test('nobody waits for longer than they said, nor after they have left', async () => {
  const { begun, ask, end } = queueOf(new Turns(1, 1))
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
