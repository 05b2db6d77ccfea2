import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { type Place, Secrets } from './sealed.ts'

const secret = 'correct horse battery staple, twice over'
const secrets = new Secrets(secret)
const place: Place = [3, 17, 'a']

test('a sealed text can be opened again, also by another process with the same secret', () => {
  for (const text of ['', 'x', 'Grüße 🐦', 'k'.repeat(100_000)]) {
    const sealed = secrets.seal('test', place, text)
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/)
    if (text.length > 1) expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false)
    expect(new Secrets(secret).open('test', place, sealed)).toBe(text)
  }
})

test('the same text is never sealed the same', () => {
  const made = Array.from({ length: 100 }, () => secrets.seal('test', place, 'text'))
  expect(new Set(made).size).toBe(100)
})

test('it opens for one secret, purpose and place', () => {
  const sealed = secrets.seal('test', place, 'text')
  expect(new Secrets(`${secret}.`).open('test', place, sealed)).toBeUndefined()
  expect(secrets.open('other', place, sealed)).toBeUndefined()
  const others: Place[] = [
    [3, 17],
    [3, 17, 'b'],
    [4, 17, 'a'],
    [3, 18, 'a'],
    [3, '17', 'a'],
    [317, 'a'],
  ]
  for (const other of others) expect(secrets.open('test', other, sealed)).toBeUndefined()
})

test('a damaged text does not open', () => {
  const sealed = Buffer.from(secrets.seal('test', place, 'text'), 'base64')
  for (let at = 0; at < sealed.length; at++) {
    const damaged = Buffer.from(sealed)
    damaged[at]! ^= 1
    expect(secrets.open('test', place, damaged.toString('base64'))).toBeUndefined()
    expect(secrets.open('test', place, sealed.subarray(0, at).toString('base64'))).toBeUndefined()
  }
  expect(secrets.open('test', place, Buffer.concat([sealed, sealed]).toString('base64'))).toBeUndefined()
  expect(secrets.open('test', place, 'no such thing')).toBeUndefined()
})

test('the secret does not show in a log', () => {
  secrets.seal('test', place, 'text')
  expect(inspect(secrets, { depth: null, showHidden: true }) + JSON.stringify(secrets)).not.toContain('horse')
})
