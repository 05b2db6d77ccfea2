import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { Person } from '../../../../test/person.ts'
import { startNode, testServer } from '../../../../test/test-server.ts'

const key = 'a secret that both servers share'
const { organization } = testServer({
  adapters: { signOn: { jwt: { key, algorithm: 'HS256' }, isDevelopment: true } },
})
const plain = testServer()

function signed(claims: Record<string, unknown>, secret = key, until = '5m') {
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(until)
  return token.sign(new TextEncoder().encode(secret))
}

test('another server can authenticate a user with a signed token', async () => {
  const org = await organization()
  const anna = await org.person()
  const token = await signed({ email: anna.email.toUpperCase() })
  const { body } = await org.visitor.post('/jwt/fetch_api_key', { token })
  expect(body).toMatchObject({ result: 'success', email: anna.email, user_id: anna.id })
  expect(body.user).toBeUndefined()
  const client = new Person(org.place, { ...anna, key: body.api_key })
  expect((await client.get('/users/me')).body.user_id).toBe(anna.id)
  const more = await org.visitor.post('/jwt/fetch_api_key', { token, include_profile: true })
  expect(more.body.user).toMatchObject({ user_id: anna.id, full_name: anna.name, is_active: true })
})

test('rejects a token that is forged, expired, unsigned, empty or without a user', async () => {
  const org = await organization()
  const anna = await org.person()
  const claims = { email: anna.email }
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`.replaceAll('=', '')
  for (const [token, status, msg] of [
    [await signed(claims, 'another secret'), 400, 'Bad JSON web token'],
    [await signed(claims, key, '-1m'), 400, 'Bad JSON web token'],
    [unsigned, 400, 'Bad JSON web token'],
    ['nonsense', 400, 'Bad JSON web token'],
    ['', 400, 'No JSON web token passed in request'],
    [await signed({}), 400, 'No email specified in JSON web token claims'],
    [await signed({ email: 'nobody@example.com' }), 401, 'Your username or password is incorrect'],
  ] as const) {
    const answer = await org.visitor.post('/jwt/fetch_api_key', { token })
    expect({ status: answer.status, msg: answer.body.msg }).toEqual({ status, msg })
  }
  await org.owner.delete(`/users/${anna.id}`)
  const late = await org.visitor.post('/jwt/fetch_api_key', { token: await signed(claims) })
  expect(late.body.code).toBe('USER_DEACTIVATED')
})

test('a public key verifies tokens as well, and is not a shared secret', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const pem = await exportSPKI(publicKey)
  const org = await plain.organization()
  const jwt = { key: pem, algorithm: 'ES256' }
  const node = await startNode(plain.databaseUrl, { adapters: { signOn: { jwt } } })
  const visitor = new Person({ ...org.place, port: node.port }, org.owner)
  const claims = { email: org.owner.email }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('5m')
    .sign(privateKey)
  expect((await visitor.post('/jwt/fetch_api_key', { token })).status).toBe(200)
  expect((await visitor.post('/jwt/fetch_api_key', { token: await signed(claims, pem) })).status).toBe(400)
  await node.close()
})

test('on a development server, a caller can log in as any user', async () => {
  const org = await organization()
  const { body } = await org.visitor.post('/dev_fetch_api_key', { username: org.owner.email })
  expect(body).toMatchObject({ result: 'success', email: org.owner.email, user_id: org.owner.id })
  expect((await org.visitor.post('/dev_fetch_api_key', { username: 'nobody@example.com' })).status).toBe(401)
  expect((await org.visitor.post('/dev_fetch_api_key')).body.code).toBe('REQUEST_VARIABLE_MISSING')
})

test('the session of a development login requires its CSRF token', async () => {
  const org = await organization()
  const login = await org.visitor.post('/dev_fetch_api_key', { username: org.owner.email })
  const set = (login.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]!)
  expect(set.map((cookie) => cookie.split('=')[0])).toEqual(['rookery', 'csrftoken', 'rookery-organizations'])
  const cookie = set.join('; ')
  const token = set[1]!.split('=')[1]!
  const makeBot = (name: string, headers: Record<string, string>) =>
    org.visitor.raw({
      method: 'POST',
      path: '/json/bots',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `full_name=${name}&short_name=${name}`,
    })
  expect((await makeBot('one', { cookie, 'x-csrftoken': token })).body).toMatchObject({ result: 'success' })
  const refused: Record<string, string>[] = [
    {},
    { 'x-csrftoken': 'x'.repeat(token.length) },
    { 'x-csrftoken': token, origin: 'https://elsewhere.example' },
    { 'x-csrftoken': token, 'sec-fetch-site': 'cross-site' },
    { 'x-csrftoken': '', cookie: cookie.replace(token, '') },
  ]
  for (const headers of refused) {
    expect(await makeBot('two', { cookie, ...headers })).toMatchObject({
      status: 403,
      body: { code: 'CSRF_FAILED' },
    })
  }
  const { body: bot } = await org.owner.post('/bots', { full_name: 'Three', short_name: 'three' })
  const { delivery_email } = org.state.users.require(bot.user_id)
  const ofBot = await org.visitor.post('/dev_fetch_api_key', { username: delivery_email })
  expect(ofBot.status).toBe(200)
  expect(ofBot.headers['set-cookie']).toBeUndefined()
})

test('other servers have neither', async () => {
  const org = await plain.organization()
  expect((await org.visitor.post('/dev_fetch_api_key', { username: org.owner.email })).status).toBe(404)
  const { status, body } = await org.visitor.post('/jwt/fetch_api_key')
  const msg = 'JWT authentication is not enabled for this organization'
  expect({ status, ...body }).toEqual({ status: 400, result: 'error', msg, code: 'BAD_REQUEST' })
})
