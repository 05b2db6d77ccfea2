import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

/** An owner of things that are ended when they must leave. */
function owner(budget: ByteBudget<string>) {
  const ended: string[] = []
  const share = budget.share((item) => {
    ended.push(item)
    share.remove(item)
  })
  return { share, ended }
}

test('an owner keeps what it used last, as much as its share allows', () => {
  const budget = new ByteBudget<string>(1_000, 100)
  const { share, ended } = owner(budget)
  for (const item of ['a', 'b', 'c']) share.grow(item, 30)
  share.use('a')
  share.grow('d', 30)
  expect(ended).toEqual(['b'])
  share.use('a')
  share.grow('a', 50)
  expect(ended).toEqual(['b', 'c', 'd'])
  expect([share.bytes, budget.bytes]).toEqual([80, 80])
})

test('a thing that is larger than the share leaves immediately', () => {
  const { share, ended } = owner(new ByteBudget<string>(1_000, 100))
  share.grow('a', 101)
  expect([ended, share.bytes]).toEqual([['a'], 0])
})

test('all owners together keep what was used last, whichever owner has it', () => {
  const budget = new ByteBudget<string>(100, 80)
  const [first, second, third] = [owner(budget), owner(budget), owner(budget)]
  first.share.grow('a', 40)
  second.share.grow('b', 40)
  first.share.use('a')
  third.share.grow('c', 40)
  expect([first.ended, second.ended, third.ended]).toEqual([[], ['b'], []])
  third.share.grow('d', 40)
  expect([first.ended, third.ended]).toEqual([['a'], []])
  expect(budget.bytes).toBe(80)
})
