import { expect, test } from 'vitest'
import { basic } from '../../test/person.ts'
import { testServer } from '../../test/test-server.ts'
import { httpLimits } from './limits.ts'

const { organization } = testServer({ rateLimits: true, trustProxy: true })

type Status = { status: number }

/** Sends requests until a response has another status; a slow machine may send a few more than the limit. */
async function until(status: number, ask: (i: number) => Promise<Status>) {
  for (let i = 0; i < 5 * httpLimits.anonymousRequestsPerMinute; i++) {
    const answer = await ask(i)
    if (answer.status === status) return i
  }
  throw new Error(`never ${status}`)
}

test('behind a proxy, limits count what the proxy says, not what others have said to it', async () => {
  const { visitor } = await organization()
  const ask = (addresses: string) =>
    visitor.get('/server_settings', {}, { headers: { 'x-forwarded-for': addresses } })
  const asked = await until(429, (i) => ask(`198.51.100.${i % 250}, 203.0.113.7`))
  expect(asked).toBeGreaterThanOrEqual(httpLimits.anonymousRequestsPerMinute)
  expect((await ask('203.0.113.8')).status).toBe(200)
})

test('a caller with many addresses of one network is limited as one caller', async () => {
  const { visitor } = await organization()
  const ask = (i: number) => {
    const headers = { 'x-forwarded-for': `2001:db8:1:2::${i.toString(16)}` }
    return visitor.get('/server_settings', {}, { headers })
  }
  expect(await until(429, ask)).toBeGreaterThanOrEqual(httpLimits.anonymousRequestsPerMinute)
})

test('bad keys are limited like none', async () => {
  const { visitor, owner } = await organization()
  const headers = { authorization: basic(owner.email, 'x'.repeat(32)), 'x-forwarded-for': '203.0.113.77' }
  const ask = () => visitor.get('/users/me', {}, { headers })
  expect((await ask()).status).toBe(401)
  await until(429, ask)
  expect((await owner.get('/users/me')).status).toBe(200)
})
