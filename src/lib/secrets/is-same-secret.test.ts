import { expect, test } from 'vitest'
import { isSameSecret } from './is-same-secret.ts'

test.each([
  ['5ecret', '5ecret', true],
  ['5ecreT', '5ecret', false],
  ['5ecre', '5ecret', false],
  ['', '5ecret', false],
  // As many characters, and more bytes.
  ['5écret', '5ecret', false],
  ['5écret', '5écret', true],
])('%j for %j: %j', (given, right, same) => {
  expect(isSameSecret(given, right)).toBe(same)
})
