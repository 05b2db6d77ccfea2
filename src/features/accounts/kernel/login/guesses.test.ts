import { expect, test } from 'vitest'
import { guessesFor } from './guesses.ts'
import { loginLimits } from './limits.ts'

const words = ['dora@example.com', 'dora', 'Dora Diaz', 'DoraDiaz', 'Diaz', 'Nest']

test.each([
  'password',
  'letmein',
  'P@ssw0rd',
  'Password1',
  'qwertyuiop',
  '1q2w3e4r',
  '123456789',
  'abcdefgh',
  'aaaaaaaaaa',
  'butterfly',
  'doradiaz',
  'zaidarod',
  'dora@example.com',
  'nestnest',
])('%s is easily guessed', async (password) => {
  expect(await guessesFor(password, words)).toBeLessThan(loginLimits.passwordMinGuesses)
})

test.each([
  'swordfish 12',
  'correct horse',
  'of a thief 77',
  'lqnxqz',
  'kV9-x2Qp_tGw',
  'Frühstück im Grünen',
  '合言葉は秘密です',
])('%s is not', async (password) => {
  expect(await guessesFor(password, words)).toBeGreaterThanOrEqual(loginLimits.passwordMinGuesses)
})

// An estimate of all of it would take seconds.
test('of a long password, only the beginning counts', async () => {
  const long = '4@8({[6<|1<|!$5+7%2'.repeat(5)
  const beginning = long.slice(0, loginLimits.passwordEstimated)
  expect(await guessesFor(long, words)).toBe(await guessesFor(beginning, words))
})
