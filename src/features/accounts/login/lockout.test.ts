import { expect, test } from 'vitest'
import { createUser } from '../../../../test/accounts.ts'
import type { Organization } from '../../../../test/organization.ts'
import { testServer } from '../../../../test/test-server.ts'
import { loginLimits } from '../kernel/login/limits.ts'

const { organization, pass } = testServer({ trustProxy: true })

const password = 'swordfish 12'

async function setting() {
  const org = await organization()
  const { email } = await createUser(org, { name: 'Dora', email: 'dora@example.com', password })
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
  let guesses = 0
  const guess = () => tryFrom(org, `2001:db8:0:${(++guesses).toString(16)}::1`, email.toUpperCase(), 'guess')
  for (let status = 401; status !== 429; status = await guess()) expect(status).toBe(401)
  // The login above was the first from there, and counts as well. On a slow machine, some are forgotten meanwhile.
  const most = loginLimits.failedLoginsEverywhere
  expect(guesses).toBeGreaterThanOrEqual(most)
  expect(guesses).toBeLessThan(1.5 * most)
  expect(await tryFrom(org, '192.0.2.9', email, password)).toBe(429)
  expect(await tryFrom(org, '198.51.100.7', email, password)).toBe(200)
  expect(await tryFrom(org, '192.0.2.9', org.owner.email, 'correct horse')).toBe(200)
})
