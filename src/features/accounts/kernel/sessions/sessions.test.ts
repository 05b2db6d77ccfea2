import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createUser } from '../../../../../test/accounts.ts'
import { Browser } from '../../../../../test/browser.ts'
import { send } from '../../../../../test/http.ts'
import type { Organization } from '../../../../../test/organization.ts'
import { Person } from '../../../../../test/person.ts'
import { testServer } from '../../../../../test/test-server.ts'
import { hashPassword } from '../login/passwords.ts'
import { putPassword } from '../login/put-password.ts'

const { organization, anotherNode, pass } = testServer()

const password = 'swordfish 12'
const account = { name: 'Dora', email: 'dora@example.com', password }

async function loggedIn(org: Organization) {
  const dora = await createUser(org, account)
  const browser = new Browser(org.place)
  await browser.logIn(dora.email, password)
  return { dora, browser }
}

test('a password login sets a cookie that scripts cannot read and that every operation accepts', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const browser = new Browser(org.place)
  const { status, body, headers } = await browser.logIn(dora.email, password)
  expect({ status, ...body }).toEqual({
    status: 200,
    result: 'success',
    msg: '',
    user_id: dora.id,
    email: dora.email,
  })
  const [cookie] = headers['set-cookie']!
  expect(cookie).toMatch(/^rookery=[\w-]{43}; Path=\/; Max-Age=5184000; HttpOnly; SameSite=Lax$/)
  expect(JSON.stringify([...org.state.sessions.values()])).not.toContain(browser.cookie!.split('=')[1])
  for (const prefix of ['/api/v1', '/json']) {
    expect((await browser.ask('GET', `${prefix}/users/me`)).body.user_id).toBe(dora.id)
    const sent = { type: 'direct', to: [dora.id], content: 'a note to myself' }
    expect((await browser.ask('POST', `${prefix}/messages`, sent)).body.result).toBe('success')
  }
})

test('a wrong password sets no cookie', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const browser = new Browser(org.place)
  const wrong = { email: dora.email, password: 'guess' }
  const { status, body, headers } = await browser.ask('POST', '/api/v1/rookery/session', wrong)
  expect({ status, ...body }).toMatchObject({ status: 401, code: 'AUTHENTICATION_FAILED' })
  expect(headers['set-cookie']).toBeUndefined()
})

test('a concurrent login with the old password has no session after the new one is set', async () => {
  const org = await organization()
  const passwordHash = await hashPassword('another one 77')
  // Covers every stage of the login at which the new password may be set.
  for (const milliseconds of [0, 5, 10, 15, 20, 25, 30, 40, 60]) {
    const dora = await createUser(org, { ...account, email: `dora${milliseconds}@example.com` })
    const browser = new Browser(org.place)
    const change = () => org.log.commit((change) => putPassword(change, dora.id, passwordHash))
    await Promise.all([browser.logIn(dora.email, password), sleep(milliseconds).then(change)])
    expect([...org.state.sessionsOfUser(dora.id)]).toEqual([])
    expect((await browser.ask('GET', '/api/v1/users/me')).status).toBe(401)
    expect((await browser.logIn(dora.email, 'another one 77')).status).toBe(200)
  }
})

test('rejects changes from another site, but not reads', async () => {
  const org = await organization()
  const { browser } = await loggedIn(org)
  const evil = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: undefined },
    { origin: `http://other.chat.test` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of evil) {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
    const bare = 'origin' in headers && headers.origin === undefined
    const { status, body } = bare
      ? await send(org.place, {
          method: 'PATCH',
          path: '/api/v1/settings',
          headers: { cookie: browser.cookie! },
        })
      : await browser.ask('PATCH', '/api/v1/settings', { enter_sends: true }, given)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'CSRF_FAILED' })
    expect(body.reason).toEqual(expect.any(String))
    if (!bare) expect((await browser.ask('GET', '/api/v1/users/me', {}, given)).status).toBe(200)
  }
  const ours = { 'sec-fetch-site': 'same-origin' }
  expect((await browser.ask('PATCH', '/api/v1/settings', { enter_sends: true }, ours)).status).toBe(200)
})

test('an overridden method counts as a change as well', async () => {
  const org = await organization()
  const { browser } = await loggedIn(org)
  const disguised = await browser.ask(
    'POST',
    '/api/v1/settings',
    { method: 'PATCH', enter_sends: true },
    { origin: 'https://evil.example' },
  )
  expect(disguised.status).toBe(403)
})

test('another site cannot log its visitor in', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const { status, headers } = await new Browser(org.place).ask(
    'POST',
    '/api/v1/rookery/session',
    { email: dora.email, password },
    { origin: 'https://evil.example' },
  )
  expect(status).toBe(403)
  expect(headers['set-cookie']).toBeUndefined()
})

test('a cookie is invalid in another organization, and an invented one everywhere', async () => {
  const [org, other] = await Promise.all([organization(), organization()])
  const { browser } = await loggedIn(org)
  const elsewhere = new Browser(other.place)
  elsewhere.cookie = browser.cookie
  expect(await elsewhere.status()).toBe(401)
  elsewhere.cookie = 'rookery=made-up'
  expect(await elsewhere.status()).toBe(401)
})

test('below /json only sessions are accepted, and the login required is one', async () => {
  const org = await organization()
  const { status, headers, body } = await org.owner.raw({ method: 'GET', path: '/json/users/me' })
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
  expect(headers['www-authenticate']).toBe('Session realm="zulip"')
  const asked = await org.visitor.get('/users/me', {}, { headers: { 'sec-fetch-mode': 'cors' } })
  expect(asked.headers['www-authenticate']).toBe('Session realm="zulip"')
})

test('logging out ends the session permanently', async () => {
  const org = await organization()
  const { browser } = await loggedIn(org)
  const { cookie } = browser
  const { headers } = await browser.ask('DELETE', '/api/v1/rookery/session')
  expect(headers['set-cookie']![0]).toContain('Max-Age=0')
  browser.cookie = cookie
  expect(await browser.status()).toBe(401)
  expect((await org.owner.delete('/rookery/session')).status).toBe(400)
})

test('users see their sessions and can end them from anywhere, on all nodes immediately', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  const second = new Browser(org.place)
  await second.logIn(dora.email, password)
  const { body } = await browser.ask('GET', '/api/v1/rookery/sessions')
  expect(body.sessions).toEqual([
    expect.objectContaining({ client: 'Firefox on Linux', is_current: false }),
    expect.objectContaining({ client: 'Firefox on Linux', is_current: true }),
  ])
  const node = await anotherNode()
  const there = new Browser({ ...org.place, port: node.port })
  there.cookie = second.cookie
  expect(await there.status()).toBe(200)
  await browser.ask('DELETE', `/api/v1/rookery/sessions/${body.sessions[0].id}`)
  expect(await second.status()).toBe(401)
  await expect.poll(() => there.status()).toBe(401)
  expect(await browser.status()).toBe(200)
})

test('users cannot end sessions of other users', async () => {
  const org = await organization()
  const { browser } = await loggedIn(org)
  const anna = await org.person()
  const session = [...org.state.sessions.values()][0]!
  const key = [...org.state.apiKeysOfUser(org.owner.id)][0]!
  expect((await anna.delete(`/rookery/sessions/${session.id}`)).status).toBe(404)
  expect((await anna.delete(`/rookery/keys/${key.id}`)).status).toBe(404)
  expect(await browser.status()).toBe(200)
  expect((await org.owner.get('/users/me')).status).toBe(200)
})

test('users see their API keys without the secrets, and can revoke one', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  const got = await org.visitor.post(
    '/fetch_api_key',
    { username: dora.email, password },
    { headers: { 'user-agent': 'ZulipTerminal/0.7' } },
  )
  const person = new Person(org.place, { ...dora, name: 'Dora', key: got.body.api_key })
  const { body } = await person.get('/rookery/keys')
  expect(body.keys).toEqual([
    {
      id: expect.any(Number),
      client: 'ZulipTerminal',
      created_at: expect.any(Number),
      last_used_at: expect.any(Number),
      is_current: true,
    },
  ])
  expect((await browser.ask('DELETE', `/json/rookery/keys/${body.keys[0].id}`)).status).toBe(200)
  expect((await person.get('/users/me')).status).toBe(401)
})

test('a session and the password return an API key', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  expect((await browser.ask('POST', '/json/fetch_api_key', { password: 'guess' })).status).toBe(401)
  const { body } = await browser.ask('POST', '/json/fetch_api_key', { password })
  expect(body).toMatchObject({ email: dora.email, user_id: dora.id })
  const person = new Person(org.place, { ...dora, name: 'Dora', key: body.api_key })
  expect((await person.get('/users/me')).status).toBe(200)
})

test('a new password ends the other sessions, but not the API keys', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  const other = new Browser(org.place)
  await other.logIn(dora.email, password)
  const { body } = await other.ask('POST', '/json/fetch_api_key', { password })
  const change = { old_password: password, new_password: 'another fish 3' }
  expect((await browser.ask('PATCH', '/json/settings', change)).status).toBe(200)
  expect(await browser.status()).toBe(200)
  expect(await other.status()).toBe(401)
  const person = new Person(org.place, { ...dora, name: 'Dora', key: body.api_key })
  expect((await person.get('/users/me')).status).toBe(200)
})

test('deactivation ends sessions and keys, and reactivation does not restore them', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  const { body } = await browser.ask('POST', '/json/fetch_api_key', { password })
  const person = new Person(org.place, { ...dora, name: 'Dora', key: body.api_key })
  await org.owner.delete(`/users/${dora.id}`)
  expect(await browser.status()).toBe(401)
  expect((await person.get('/users/me')).body).toMatchObject({ msg: 'Account is deactivated' })
  await org.owner.post(`/users/${dora.id}/reactivate`)
  expect(await browser.status()).toBe(401)
  expect((await person.get('/users/me')).status).toBe(401)
  expect((await browser.logIn(dora.email, password)).status).toBe(200)
})

test('a session ends after two weeks without use, and after two months in any case', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  const idle = new Browser(org.place)
  await idle.logIn(dora.email, password)
  const day = 86_400
  for (let time = 1; time <= 4; time++) {
    pass(13 * day)
    expect(await browser.status()).toBe(200)
    // The time of the last use is written a moment later.
    const lastUsed = () => Math.max(...[...org.state.sessionsOfUser(dora.id)].map((one) => one.last_used_at))
    const soon = Date.now() / 1000 + time * 13 * day - 600
    await expect.poll(lastUsed).toBeGreaterThan(soon)
  }
  expect(await idle.status()).toBe(401)
  pass(8 * day)
  expect(await browser.status()).toBe(401)
})

test('users see their newest logins: method, client and address', async () => {
  const org = await organization()
  const { dora, browser } = await loggedIn(org)
  await org.visitor.post(
    '/fetch_api_key',
    { username: dora.email, password },
    { headers: { 'user-agent': 'Phone/1' } },
  )
  const { body } = await browser.ask('GET', '/json/rookery/logins')
  expect(body.logins).toEqual([
    { method: 'Email', client: 'Phone', ip: '127.0.0.1', at: expect.any(Number) },
    { method: 'Email', client: 'Firefox on Linux', ip: '127.0.0.1', at: expect.any(Number) },
  ])
})

test('several nodes count failures together', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const node = await anotherNode()
  const places = [org.place, { ...org.place, port: node.port }]
  const guess = async (i: number) => {
    const browser = new Browser(places[i % 2]!)
    return (await browser.ask('POST', '/api/v1/rookery/session', { email: dora.email, password: 'guess' }))
      .status
  }
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push(await guess(i))
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  expect((await new Browser(org.place).logIn(dora.email, password)).status).toBe(429)
})
