import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'
import { loginLimits } from '../kernel/login/limits.ts'

const { organization, pass } = testServer({ trustProxy: true })

const password = 'swordfish 12'

async function setting() {
  const org = await organization()
  const email = 'dora@example.com'
  await org.owner.post('/users', { email, full_name: 'Dora', password })
  return { org, email }
}

/** Tries to log in from an address. Returns the status. */
async function tryFrom(org: Organization, ip: string, email: string, guess: string): Promise<number> {
  const headers = { 'x-forwarded-for': ip }
  return (await org.visitor.post('/fetch_api_key', { username: email, password: guess }, { headers })).status
}

test('wrong passwords lock out their own network, and no other', async () => {
  const { org, email } = await setting()
  for (let i = 0; i < loginLimits.failedLogins; i++)
    expect(await tryFrom(org, '192.0.2.1', email, 'guess')).toBe(401)
  expect(await tryFrom(org, '192.0.2.1', email, password)).toBe(429)
  expect(await tryFrom(org, '192.0.2.2', email, password)).toBe(200)
  // A login from another network clears no failures here.
  expect(await tryFrom(org, '192.0.2.1', email, password)).toBe(429)
  pass(loginLimits.failedLoginSeconds + 1)
  expect(await tryFrom(org, '192.0.2.1', email, password)).toBe(200)
})

test('guesses from many networks are slowed down, except from networks of earlier logins', async () => {
  const { org, email } = await setting()
  expect(await tryFrom(org, '198.51.100.7', email, password)).toBe(200)
  const networks = Array.from(
    { length: loginLimits.failedLoginsEverywhere },
    (_, i) => `2001:db8:0:${i.toString(16)}::1`,
  )
  const statuses: number[] = []
  for (const ip of networks) statuses.push(await tryFrom(org, ip, email.toUpperCase(), 'guess'))
  // The login above was the first from there, and counts as well.
  expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
  expect(await tryFrom(org, '192.0.2.9', email, password)).toBe(429)
  expect(await tryFrom(org, '198.51.100.7', email, password)).toBe(200)
  expect(await tryFrom(org, '192.0.2.9', org.owner.email, 'correct horse')).toBe(200)
})
