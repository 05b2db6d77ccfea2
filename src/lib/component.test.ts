import { expect, test } from 'vitest'
import { badRequest } from './api-error.ts'
import { ComponentError, componentError, reasonOf, unavailable } from './component.ts'

const sqlState = (code: string) => Object.assign(new Error('says PostgreSQL'), { code, severity: 'ERROR' })
const system = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall, errno: -1 })

test.each([
  ...['08006', '25006', '25P03', '28P01', '3D000', '40001', '42501', '42P01', '53100', '53300'].map(sqlState),
  ...['55000', '57014', '57P01', '57P03', '58030', '58P01', 'XX000', 'XX001', '26000'].map(sqlState),
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EMFILE'].map((code) => system(code, 'connect')),
  system('ENOTFOUND', 'getaddrinfo'),
  system('ECONNRESET', 'read'),
  system('EPIPE', 'write'),
  Object.assign(new AggregateError([system('ECONNREFUSED', 'connect')]), { code: 'ECONNREFUSED' }),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
])('%s is of the database', (error) => {
  expect(componentError(error)?.component).toBe('database')
})

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'EACCES', 'ENOENT', 'ENOTDIR', 'ESTALE'])(
  'of a file, %s is of the file store',
  (code) => {
    for (const syscall of ['open', 'write', 'read', 'mkdir', 'rename', 'fsync']) {
      expect(componentError(system(code, syscall))?.component).toBe('file store')
    }
  },
)

test.each([
  ...['22P02', '23505', '42601', '42703', '42883', '25P02', '0A000'].map(sqlState),
  new TypeError('x is not a function'),
  badRequest('no'),
  Object.assign(new Error('a parser'), { code: 'ERR_INVALID_ARG_TYPE' }),
  'ECONNREFUSED',
  undefined,
  null,
  42,
])('%s is our own', (error) => {
  expect(componentError(error)).toBeUndefined()
})

test('the reason has everything that was said on the way, once', () => {
  const refused = system('ECONNREFUSED', 'connect')
  const both = new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), refused])
  const failed = new ComponentError(
    'push relay',
    'The relay is away.',
    new Error('fetch failed', { cause: both }),
  )
  expect(reasonOf(failed)).toBe('The relay is away. fetch failed connect ECONNREFUSED ::1:5432, ECONNREFUSED')
  expect(reasonOf(unavailable('database', sqlState('25006')))).toContain('25006: says PostgreSQL')
})

test('the reason for the log has no text twice, and none that is for users', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:25'), { code: 'ECONNREFUSED' })
  const wrapped = Object.assign(new Error(refused.message, { cause: refused }), { code: 'ESOCKET' })
  expect(reasonOf(unavailable('mail server', wrapped))).toBe('ESOCKET: connect ECONNREFUSED 10.0.0.1:25')
  expect(reasonOf(unavailable('database', undefined))).toContain('The database is not available.')
})
