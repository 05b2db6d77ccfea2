import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testServer } from '../../../test/test-server.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { httpLimits } from '../limits.ts'
import { Logins } from './logins.ts'

const lines: string[] = []
const all = testServer({ log: (line) => lines.push(line) })

/** Returns what is logged about logins under the id of a response. */
function loggedFor({ headers }: { headers: Record<string, unknown> }) {
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return logged.filter(({ reqId, msg }) => reqId === headers['x-request-id'] && /^login/.test(String(msg)))
}

test('a login and refused ones are logged with account, method and address, and nothing that was typed', async () => {
  const { owner, visitor, id: realmId } = await all.organization()
  const logIn = (username: string, password: string) => visitor.post('/fetch_api_key', { username, password })
  const made = await logIn(owner.email, 'correct horse')
  const about = { realmId, userId: owner.id, method: 'Email', ip: '127.0.0.1' }
  expect(loggedFor(made)).toMatchObject([{ level: 30, msg: 'login', ...about }])
  const wrong = await logIn(owner.email, 'hunter2')
  const reason = 'AUTHENTICATION_FAILED'
  expect(loggedFor(wrong)).toMatchObject([{ level: 40, msg: 'login refused', reason, ...about }])
  const [unknown] = loggedFor(await logIn('hunter3@example.com', 'hunter2'))
  expect(unknown).toMatchObject({ msg: 'login refused', method: 'Email', reason })
  expect(unknown).not.toHaveProperty('userId')
  expect(lines.join()).not.toMatch(/hunter|correct horse/)
})

test('a request with a wrong key is a refused login; one without any is not', async () => {
  const { owner, visitor, id: realmId } = await all.organization()
  const key = 'x'.repeat(32)
  const authorization = `Basic ${Buffer.from(`${owner.email}:${key}`).toString('base64')}`
  const refused = await visitor.get('/users/me', {}, { headers: { authorization } })
  expect(loggedFor(refused)).toMatchObject([{ msg: 'login refused', method: 'API key', realmId }])
  expect(loggedFor(await visitor.get('/users/me'))).toEqual([])
  expect(loggedFor(await owner.get('/users/me'))).toEqual([])
  expect(lines.join()).not.toContain(key)
})

test('refused logins fill no disk: beyond the limit of a minute, they are only counted', () => {
  const written: Record<string, unknown>[] = []
  const logger = pino({ base: null }, { write: (line) => void written.push(JSON.parse(line)) })
  let now = 0
  const logins = new Logins(logger, undefined, () => now)
  const realm = { id: 1 } as RealmState
  const request = { id: 'a', ip: '127.0.0.1' } as FastifyRequest
  const error = new ApiError('no', 'AUTHENTICATION_FAILED', 401)
  for (let i = 0; i < httpLimits.loginLines + 500; i++)
    logins.refuse(realm, request, { method: 'Email', error })
  expect(written).toHaveLength(httpLimits.loginLines)
  now = 61_000
  logins.refuse(realm, request, { method: 'Email', error })
  expect(written.at(-1)).toMatchObject({ msg: 'login refused', leftOut: 500 })
  logins.refuse(realm, request, { method: 'LDAP', error: new Error('the directory is away') })
  expect(written).toHaveLength(httpLimits.loginLines + 1)
})
