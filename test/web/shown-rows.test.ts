import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsAround, rowsShown, shownAfter, withNewer, withOlder } from '../../web/lib/shown-rows.ts'

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
