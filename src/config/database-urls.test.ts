import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('databases have names', () => {
  const { databases } = readConfig({ ROOKERY_DATABASES: 'b=postgres://db/b; c-2=postgresql://u:p@db/c?a=b;' })
  expect([...(databases ?? [])]).toEqual([
    ['b', 'postgres://db/b'],
    ['c-2', 'postgresql://u:p@db/c?a=b'],
  ])
})

test.each([
  'postgres://db/b',
  '=postgres://db/b',
  'b=http://db/b',
  'main=postgres://db/b',
  'B=postgres://db/b',
  'b=postgres://db/b; b=postgres://db/c',
  'b=postgres://db/b; c',
  ';',
])('each another one, and a URL of PostgreSQL, unlike %s', (text) => {
  expect(() => readConfig({ ROOKERY_DATABASES: text })).toThrow(
    /^ROOKERY_DATABASES must be pairs like `NAME=postgresql:.*\.$/,
  )
})
