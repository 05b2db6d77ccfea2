import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  rowsAround,
  rowsKept,
  rowsPerFrame,
  rowsShown,
  shownAfter,
  towards,
  withNewer,
  withOlder,
} from '../../../web/lib/shown-rows.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

test('a list begins around a message, or with the newest', () => {
  expect(rowsAround(upTo(1000), 500)).toEqual(upTo(1000).slice(349, 649))
  expect(rowsAround(upTo(1000), undefined).at(-1)).toBe(1000)
  expect(rowsAround(upTo(10), 3)).toEqual(upTo(10))
  expect(rowsAround([], 3)).toEqual([])
})

test('it grows at the end that the reader nears, and stays within its size', () => {
  const ids = upTo(1000)
  const middle = rowsAround(ids, 500)
  expect(withOlder(ids, middle)[0]).toBe(middle[0]! - 100)
  expect(withNewer(ids, middle).at(-1)).toBe(middle.at(-1)! + 100)
  expect(withOlder(ids, middle)).toHaveLength(rowsShown)
})

test('new messages join where the end is shown, and only there', () => {
  const [before, after] = [upTo(400), upTo(401)]
  expect(shownAfter(after, before, rowsAround(before, undefined), true)).toEqual(rowsAround(after, undefined))
  expect(shownAfter(after, before, upTo(300), false)).toEqual(upTo(300))
})

test('a message that is moved to before the first joins as well, if there is room', () => {
  expect(shownAfter([3, 7], [7], [7], true)).toEqual([3, 7])
  expect(shownAfter([3, 7, 9], [7, 9], [7, 9], false)).toEqual([3, 7, 9])
  const full = upTo(301).slice(1)
  expect(shownAfter(upTo(301), full, full, false)).toEqual(full)
  expect(shownAfter(upTo(301), full, full, true)).toEqual(full)
})

test('rows come and go a few at a time, first those below, and there is never a gap', () => {
  const ids = upTo(1000)
  const wanted = rowsAround(ids, 500)
  expect(towards(ids, upTo(520).slice(480), wanted, 10)).toEqual(upTo(530).slice(480))
  expect(towards(ids, wanted, wanted, 10)).toEqual(wanted)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 }), (here, there) => {
      const goal = rowsAround(ids, there)
      let shown = rowsAround(ids, here, 60)
      for (let frame = 0; frame < 400 && String(shown) !== String(goal); frame++) {
        const before = new Set(shown)
        shown = towards(ids, shown, goal, rowsPerFrame)
        expect(shown.filter((id) => !before.has(id)).length).toBeLessThanOrEqual(rowsPerFrame)
        expect(shown.at(-1)! - shown[0]!).toBe(shown.length - 1)
      }
      expect(shown).toEqual(goal)
    }),
    { numRuns: 20 },
  )
})

test('a reader at the end sees what has come there, and few rows if it is much', () => {
  const [ids, shown] = [upTo(200), upTo(150).slice(100)]
  const options = { isAtEnd: true, atFirst: 40 }
  expect(rowsKept(upTo(152), shown, upTo(152), options)).toEqual(upTo(152).slice(100))
  expect(rowsKept(ids, shown, ids, options)).toEqual(ids.slice(160))
  expect(rowsKept(ids, shown, ids, { ...options, isAtEnd: false })).toEqual(shown)
  const without = ids.filter((id) => id !== 120)
  expect(rowsKept(without, shown, without, { ...options, isAtEnd: false })).toHaveLength(49)
})

test('the rows are always a part of the window without gaps', () => {
  const list = fc
    .uniqueArray(fc.integer({ min: 1, max: 2000 }), { maxLength: 900 })
    .map((ids) => ids.sort((a, b) => a - b))
  const scene = fc.tuple(list, list, fc.integer({ min: 0, max: 2000 }), fc.boolean())
  fc.assert(
    fc.property(scene, ([before, ids, around, isAtEnd]) => {
      const shown = shownAfter(ids, before, rowsAround(before, around), isAtEnd)
      const from = ids.indexOf(shown[0] ?? -1)
      if (shown.length > 0) expect(ids.slice(from, from + shown.length)).toEqual(shown)
      else expect(ids).toEqual([])
    }),
  )
})
