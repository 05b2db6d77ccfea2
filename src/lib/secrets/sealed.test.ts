import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { type RowKey, Secrets } from './sealed.ts'

const secret = 'correct horse battery staple, twice over'
const secrets = new Secrets(secret)
const row: RowKey = [3, 17, 'a']

test('a sealed text can be opened again, also by another process with the same secret', () => {
  for (const text of ['', 'x', 'Grüße 🐦', 'k'.repeat(100_000)]) {
    const sealed = secrets.seal('test', row, text)
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/)
    if (text.length > 1) expect(Buffer.from(sealed, 'base64').includes(text)).toBe(false)
    expect(new Secrets(secret).open('test', row, sealed)).toBe(text)
  }
})

test('the same text is never sealed the same', () => {
  const made = Array.from({ length: 100 }, () => secrets.seal('test', row, 'text'))
  expect(new Set(made).size).toBe(100)
})

test('it opens for one secret, purpose and row', () => {
  const sealed = secrets.seal('test', row, 'text')
  expect(new Secrets(`${secret}.`).open('test', row, sealed)).toBeUndefined()
  expect(secrets.open('other', row, sealed)).toBeUndefined()
  const others: RowKey[] = [
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
  const sealed = Buffer.from(secrets.seal('test', row, 'text'), 'base64')
  for (let at = 0; at < sealed.length; at++) {
    const damaged = Buffer.from(sealed)
    damaged[at]! ^= 1
    expect(secrets.open('test', row, damaged.toString('base64'))).toBeUndefined()
    expect(secrets.open('test', row, sealed.subarray(0, at).toString('base64'))).toBeUndefined()
  }
  expect(secrets.open('test', row, Buffer.concat([sealed, sealed]).toString('base64'))).toBeUndefined()
  expect(secrets.open('test', row, 'no such thing')).toBeUndefined()
})

test('the secret does not show in a log', () => {
  secrets.seal('test', row, 'text')
  expect(inspect(secrets, { depth: null, showHidden: true }) + JSON.stringify(secrets)).not.toContain('horse')
})
