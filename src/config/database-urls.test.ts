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

const DATABASE_URL = 'postgres://db/chat'

test('a replica is named by a URL, which is not repeated with its password', () => {
  const replica = (url: string) => readConfig({ DATABASE_URL, DATABASE_REPLICA_URL: url }).databaseReplicaUrl
  expect(replica('postgres://u:p@standby/chat')).toBe('postgres://u:p@standby/chat')
  expect(() => replica('standby/chat')).toThrow(
    'DATABASE_REPLICA_URL is "standby/chat", but must be a URL like',
  )
  expect(() => replica('postgres://u:hunter2@standby:x/chat')).toThrow('postgres://u:…@standby:x/chat')
})

test('a replica without its database is refused', () => {
  expect(() => readConfig({ DATABASE_REPLICA_URL: 'postgres://standby/chat' })).toThrow(
    'DATABASE_REPLICA_URL is set, but does nothing without DATABASE_URL.',
  )
})

test('replicas of further databases have their names', () => {
  const all = { DATABASE_URL, ROOKERY_DATABASES: 'b=postgres://db/b; c=postgres://db/c' }
  const { databaseReplicas } = readConfig({ ...all, ROOKERY_DATABASE_REPLICAS: 'c=postgres://standby/c' })
  expect([...(databaseReplicas ?? [])]).toEqual([['c', 'postgres://standby/c']])
  expect(() => readConfig({ ...all, ROOKERY_DATABASE_REPLICAS: 'd=postgres://standby/d' })).toThrow(
    'ROOKERY_DATABASE_REPLICAS names d, which ROOKERY_DATABASES does not name.',
  )
})
