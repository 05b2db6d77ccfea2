import { expect, test } from 'vitest'
import { createUser } from '../../../../test/accounts.ts'
import { send } from '../../../../test/http.ts'
import type { Organization } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { apiKeyLimits } from '../../bots/kernel/login/limits.ts'

const { organization } = sharedServer()

const password = 'swordfish 12'
const account = { name: 'Dora', email: 'dora@example.com', password }
const wrong = {
  result: 'error',
  msg: 'Your username or password is incorrect',
  code: 'AUTHENTICATION_FAILED',
}

function logIn(org: Organization, username: string, given = password, client = 'Tester/1.0') {
  return org.visitor.post(
    '/fetch_api_key',
    { username, password: given },
    { headers: { 'user-agent': client } },
  )
}

test('an email address in any letter case and a password return a valid key', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const { status, body } = await logIn(org, 'DORA@example.com')
  expect({ status, ...body }).toEqual({
    status: 200,
    result: 'success',
    msg: '',
    api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    email: dora.email,
    user_id: dora.id,
  })
  const person = new Person(org.place, { ...dora, name: 'Dora', key: body.api_key })
  expect((await person.get('/users/me')).body.user_id).toBe(dora.id)
})

test('each login has its own key, named after its client', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const first = await logIn(org, dora.email, password, 'ZulipFlutter/30.0.1 (Android 14)')
  const second = await logIn(org, dora.email, password, 'ZulipTerminal/0.7')
  expect(first.body.api_key).not.toBe(second.body.api_key)
  const keys = [...org.state.apiKeysOfUser(dora.id)]
  expect(keys.map(({ client }) => client)).toEqual(['ZulipFlutter', 'ZulipTerminal'])
  expect(JSON.stringify(keys)).not.toContain(first.body.api_key)
})

test('of too many keys, the one that was unused for longest ends, of the same client', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const now = Math.floor(Date.now() / 1000)
  const today = now - (now % 86_400)
  const day = 86_400
  let made = 0
  const key = (client: string, created_at: number, last_used_at: number) => {
    made += 1
    return {
      user_id: dora.id,
      client,
      hash: `hash ${dora.id} ${made}`,
      created_at,
      last_used_at,
      sealed: null,
    }
  }
  const idle = key('Script', today - 20 * day, today - 10 * day)
  const daily = key('Script', today - 30 * day, today)
  const phone = key('Phone', today - 60 * day, today - 50 * day)
  const others = Array.from({ length: apiKeyLimits.apiKeysPerUser - 3 }, () => key('Script', today, today))
  await org.log.commit((change) => change.insertAll('api_key', [daily, idle, phone, ...others]))
  const hashes = () => [...org.state.apiKeysOfUser(dora.id)].map(({ hash }) => hash)
  await logIn(org, dora.email, password, 'Script/1.0')
  expect([hashes().length, hashes().includes(idle.hash)]).toEqual([apiKeyLimits.apiKeysPerUser, false])
  // Today's other logins were not used later, as far as is known.
  await logIn(org, dora.email, password, 'Script/1.0')
  expect(hashes()).not.toContain(others[0]!.hash)
  await logIn(org, dora.email, password, 'Another/1.0')
  expect(hashes()).not.toContain(phone.hash)
  expect(hashes()).toContain(daily.hash)
})

test('accepts a multipart form', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const { status } = await send(org.place, {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `${part('username', dora.email)}${part('password', password)}--x--\r\n`,
  })
  expect(status).toBe(200)
})

test('a wrong password and an unknown address get the same error, without asking for other credentials', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const bot = [...org.state.users.values()].find((user) => user.is_system_bot)!
  for (const [username, given] of [
    [dora.email, 'swordfish 13'],
    ['nobody@example.com', password],
    [bot.delivery_email, password],
  ] as const) {
    const { status, headers, body } = await logIn(org, username, given)
    expect({ status, ...body }).toEqual({ status: 401, ...wrong })
    expect(headers['www-authenticate']).toBeUndefined()
  }
})

test('rejects invalid and missing email addresses', async () => {
  const org = await organization()
  const { status, body } = await logIn(org, 'dora')
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  const missing = { code: 'REQUEST_VARIABLE_MISSING' }
  expect((await org.visitor.post('/fetch_api_key', { password })).body).toMatchObject({
    ...missing,
    var_name: 'username',
  })
  expect((await org.visitor.post('/fetch_api_key', { username: 'a@example.com' })).body).toMatchObject({
    ...missing,
    var_name: 'password',
  })
})

test('an address of another organization is unknown here', async () => {
  const [org, other] = await Promise.all([organization(), organization()])
  const dora = await createUser(org, account)
  expect((await logIn(other, dora.email)).body).toEqual(wrong)
})

test('a deactivated account is reported only with the right password', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  await org.owner.delete(`/users/${dora.id}`)
  const { status, body } = await logIn(org, dora.email)
  expect({ status, ...body }).toEqual({
    status: 401,
    result: 'error',
    msg: 'Account is deactivated',
    code: 'USER_DEACTIVATED',
  })
  expect((await logIn(org, dora.email, 'swordfish 13')).body).toEqual(wrong)
})

test('users cannot log in to a deactivated organization', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  await org.owner.post('/realm/deactivate')
  const { status, body } = await logIn(org, dora.email)
  expect({ status, ...body }).toMatchObject({ status: 401, code: 'REALM_DEACTIVATED' })
})

test('after five failures the sixth attempt has to wait, even with the right password', async () => {
  const org = await organization()
  const [dora, emil] = [
    await createUser(org, account),
    await createUser(org, { ...account, email: 'emil@example.com' }),
  ]
  const tries = await Promise.all(Array.from({ length: 5 }, () => logIn(org, dora.email, 'guess')))
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
  const { status, headers, body } = await logIn(org, dora.email.toUpperCase())
  expect({ status, ...body }).toMatchObject({ status: 429, code: 'RATE_LIMIT_HIT' })
  expect(body['retry-after']).toBeGreaterThan(300)
  expect(Number(headers['retry-after'])).toBe(body['retry-after'])
  expect((await logIn(org, emil.email)).status).toBe(200)
})

test('successes do not count as failures', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  for (let i = 0; i < 7; i++) expect((await logIn(org, dora.email)).status).toBe(200)
})

test('the oldest key of a client is revoked when a user has too many', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const { api_key: phone } = (await logIn(org, dora.email, password, 'Phone')).body
  const { api_key: oldest } = (await logIn(org, dora.email, password, 'Script')).body
  await org.log.commit((change) =>
    change.insertAll(
      'api_key',
      Array.from({ length: 98 }, (_, i) => ({
        user_id: dora.id,
        client: 'Script',
        hash: `${i}`,
        created_at: change.now,
      })),
    ),
  )
  const { api_key: newest } = (await logIn(org, dora.email, password, 'Script')).body
  const status = async (key: string) => {
    return (await new Person(org.place, { ...dora, name: 'Dora', key }).get('/users/me')).status
  }
  expect(await Promise.all([phone, oldest, newest].map(status))).toEqual([200, 401, 200])
})

test('a new key revokes all others', async () => {
  const org = await organization()
  const dora = await createUser(org, account)
  const old = (await logIn(org, dora.email)).body.api_key
  const other = (await logIn(org, dora.email)).body.api_key
  const as = (key: string) => new Person(org.place, { ...dora, name: 'Dora', key })
  const { body } = await as(old).post('/users/me/api_key/regenerate')
  expect(body.api_key).toMatch(/^[A-Za-z0-9]{32}$/)
  const statuses = await Promise.all(
    [old, other, body.api_key].map(async (key) => (await as(key).get('/users/me')).status),
  )
  expect(statuses).toEqual([401, 401, 200])
})
