import { expect, test } from 'vitest'
import { emptyLookup } from './lookup.ts'
import { render } from './render.ts'

const alertWords = new Map([
  [1, ['lunch', 'Code Red']],
  [2, ['LUNCH']],
  [3, ['c++', 'ünder', '']],
])

test.each([
  ['Lunch?', [1, 2]],
  ['brunch and lunches', []],
  ['**lunch** is (code red)', [1, 2]],
  ['code\nred', []],
  ['C++!', [3]],
  ['`lunch`', [1, 2]],
  ['```\nlunch\n```', []],
  ['> lunch', [1, 2]],
  ['ÜNDER, the', [3]],
])('%j alerts %j', (source, users) => {
  expect(render(source, { ...emptyLookup, alertWords }).facts.alertedUserIds).toEqual(users)
})
