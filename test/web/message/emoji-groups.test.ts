import { expect, test } from 'vitest'
import { indexBeside, placeOfEmoji } from '../../../web/lib/emoji-groups.ts'

test.each([
  ['1f642', 'smileys'],
  ['2764', 'smileys'],
  ['1f44d', 'people'],
  ['1f9d1-200d-1f680', 'people'],
  ['1f419', 'nature'],
  ['1f355', 'food'],
  ['26bd', 'activities'],
  ['1f389', 'activities'],
  ['1f697', 'travel'],
  ['1f4a1', 'objects'],
  ['2139', 'symbols'],
  ['0031-20e3', 'symbols'],
  ['1f1e9-1f1ea', 'flags'],
])('the emoji %s is among %s', (code, group) => {
  expect(placeOfEmoji(code).group).toBe(group)
})

test('a group begins with what most people look for', () => {
  const [face, monster, hand, dancer] = ['1f642', '1f479', '1f44d', '1f57a'].map(
    (code) => placeOfEmoji(code).place,
  )
  expect(face).toBeLessThan(monster!)
  expect(hand).toBeLessThan(dancer!)
})

test('the arrows go to the line above or below, also of another group', () => {
  const sizes = [3, 10]
  expect(indexBeside(sizes, 1, 8, 1)).toBe(4)
  expect(indexBeside(sizes, 10, 8, -1)).toBe(2)
  expect(indexBeside(sizes, 4, 8, 1)).toBe(12)
  expect(indexBeside(sizes, 12, 8, 1)).toBe(12)
  expect(indexBeside(sizes, 1, 8, -1)).toBe(1)
  expect(indexBeside([], 0, 8, 1)).toBe(0)
})
