import { afterAll, expect, test } from 'vitest'
import { entriesOf } from '../../../../test/audit-entries.ts'
import { send } from '../../../../test/http.ts'
import type { Organization } from '../../../../test/organization.ts'
import { getPage } from '../../../../test/pages.ts'
import { Person } from '../../../../test/person.ts'
import { expiredServer } from '../../../../test/programs/expired-server.ts'
import { openIdServer } from '../../../../test/programs/openid-server.ts'
import { publicHost, startNode, testServer } from '../../../../test/test-server.ts'
import { openIdProvider } from '../../../adapters/sign-on/open-id.ts'
import type { SignOn } from '../../../adapters/sign-on/sign-on.ts'
import { freePort } from '../../../lib/network/free-port.ts'

const callbacks = Array.from(
  { length: 30 },
  (_, i) => `http://org${i + 1}.${publicHost}/login/openid/callback`,
)
const server = await openIdServer(callbacks)
const { issuer, clientId, clientSecret } = server
const settings = {
  issuer,
  clientId,
  clientSecret,
  name: 'Example Inc.',
  scopes: 'openid email profile groups',
  groupsClaim: 'groups',
}
const signOn: SignOn = {
  openId: openIdProvider(settings),
  createsAccounts: false,
  groups: [
    ['eng', 'engineers'],
    ['ops', 'operators'],
  ],
  roles: [
    ['bosses', 'administrator'],
    ['visitors', 'guest'],
  ],
}
const { organization, node, databaseUrl, pass } = lazyWorld()
afterAll(() => server.close())

// The parts of a test server exist only once tests run.
function lazyWorld() {
  const it = testServer({ adapters: { signOn } })
  return {
    organization: it.organization,
    pass: it.pass,
    node: () => it.node,
    databaseUrl: () => it.databaseUrl,
  }
}

const anna = { sub: 'anna-1', email: 'anna@example.com', email_verified: true, name: 'Anna' }

/** Signs on as `person`. Returns the response of this server's last address. */
async function signOnAs(org: Organization, person: typeof server.person, query = '') {
  server.person = person
  const begun = await getPage(org, `/login/openid${query}`)
  const [cookie] = begun.headers['set-cookie']![0]!.split(';')
  const back = new URL(await server.signIn(begun.headers.location!))
  const path = back.pathname + back.search
  return { ...(await getPage(org, path, { cookie: cookie! })), path, cookie: cookie! }
}

async function whoIs(org: Organization, { headers }: Awaited<ReturnType<typeof getPage>>) {
  const cookie = headers['set-cookie']!.find((one) => one.startsWith('rookery='))!.split(';')[0]!
  return (await send(org.place, { method: 'GET', path: '/json/users/me', headers: { cookie } })).body
}

test('signs in to the account of a verified address', async () => {
  const org = await organization()
  const person = await org.person({ email: anna.email })
  const landed = await signOnAs(org, anna, '?next=/account%3Fa=b')
  expect({ status: landed.status, to: landed.headers.location }).toEqual({ status: 303, to: '/account?a=b' })
  expect((await whoIs(org, landed)).user_id).toBe(person.id)
  expect(landed.headers['set-cookie']).toContainEqual(expect.stringMatching(/^rookery-organizations=org\d+;/))
})

test('clients see the login method', async () => {
  const org = await organization()
  const { body } = await org.visitor.get('/server_settings')
  expect(body.authentication_methods['openid connect']).toBe(true)
  expect(body.external_authentication_methods).toEqual([
    {
      name: 'oidc:default',
      display_name: 'Example Inc.',
      display_icon: null,
      login_url: '/login/openid',
      signup_url: '/login/openid',
    },
  ])
  expect((await getPage(org, '/login')).text).toContain('Sign in with Example Inc.')
})

test('a mobile client receives a key that only it can read', async () => {
  const org = await organization()
  const person = await org.person({ email: anna.email, name: 'Anna' })
  const otp = 'c0ffee00'.repeat(8)
  const landed = await signOnAs(org, anna, `?mobile_flow_otp=${otp}`)
  const url = new URL(landed.headers.location!)
  expect(`${url.protocol}//${url.host}`).toBe('zulip://login')
  const sent = Object.fromEntries(url.searchParams)
  expect(sent).toMatchObject({
    email: anna.email,
    user_id: String(person.id),
    realm: `http://${org.place.host}`,
  })
  const pad = Buffer.from(otp, 'hex')
  const key = Buffer.from(sent.otp_encrypted_api_key!, 'hex').map((byte, i) => byte ^ pad[i]!)
  const phone = new Person(org.place, { ...person, key: Buffer.from(key).toString() })
  expect((await phone.get('/users/me')).body.user_id).toBe(person.id)
  expect((await getPage(org, '/login/openid?mobile_flow_otp=short')).status).toBe(400)
})

test('rejects unverified and missing addresses', async () => {
  const org = await organization()
  await org.person({ email: anna.email })
  const unverified = await signOnAs(org, { ...anna, email_verified: false })
  expect(unverified).toMatchObject({ status: 401, text: expect.stringContaining('not verified your email') })
  const { email_verified, ...unsaid } = anna
  expect((await signOnAs(org, unsaid)).status).toBe(401)
  expect((await signOnAs(org, { sub: 'x' })).text).toContain('not provided your email')
})

test('a linked user is identified by more than their address', async () => {
  const org = await organization()
  const person = await org.person({ email: anna.email })
  await signOnAs(org, anna)
  const moved = await signOnAs(org, { ...anna, email: 'anna.new@example.com' })
  expect((await whoIs(org, moved)).user_id).toBe(person.id)
  const heir = await signOnAs(org, { ...anna, sub: 'another-person' })
  expect(heir).toMatchObject({ status: 401, text: expect.stringContaining('is linked to another person') })
})

test('users without an account are rejected unless the server creates accounts', async () => {
  const org = await organization()
  const refused = await signOnAs(org, { ...anna, sub: 'new-1', email: 'new@example.com' })
  expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('There is no account') })
  signOn.createsAccounts = true
  try {
    const client = await org.owner.register()
    const member = await org.owner.post('/user_groups/create', {
      name: 'engineers',
      description: '',
      members: [],
    })
    const landed = await signOnAs(org, { ...anna, sub: 'new-1', email: 'new@example.com', groups: ['eng'] })
    const me = await whoIs(org, landed)
    expect(me).toMatchObject({ full_name: 'Anna', role: 400 })
    expect([...org.state.membersOfGroup(member.body.group_id)].map((row) => row.user_id)).toEqual([
      me.user_id,
    ])
    await client.expectStateToMatch()
  } finally {
    signOn.createsAccounts = false
  }
})

test('roles and groups follow; owners stay owners, and groups without a rule are unchanged', async () => {
  const org = await organization()
  const person = await org.person({ email: anna.email })
  const made = async (name: string, members: number[]) =>
    (await org.owner.post('/user_groups/create', { name, description: '', members })).body.group_id as number
  const [engineers, operators, choir] = [
    await made('engineers', []),
    await made('operators', [person.id]),
    await made('choir', [person.id]),
  ]
  const client = await org.owner.register()
  await signOnAs(org, { ...anna, groups: ['eng', 'bosses'] })
  const isIn = (group: number) => org.state.groupMembers.get(group, person.id) !== undefined
  expect([engineers, operators, choir].map(isIn)).toEqual([true, false, true])
  expect(org.state.users.require(person.id).role).toBe(200)
  await client.expectStateToMatch()
  await signOnAs(org, { ...anna, groups: ['visitors'] })
  expect(org.state.users.require(person.id).role).toBe(600)
  const boss = { ...anna, sub: 'boss', email: org.owner.email, groups: ['visitors'] }
  expect((await signOnAs(org, boss)).status).toBe(303)
  expect(org.state.users.require(org.owner.id).role).toBe(100)
})

test('a callback is valid once, for the browser that started the login, for some minutes', async () => {
  const org = await organization()
  await org.person({ email: anna.email })
  const landed = await signOnAs(org, anna)
  const again = await getPage(org, landed.path, { cookie: landed.cookie })
  expect(again).toMatchObject({ status: 400, text: expect.stringContaining('has expired') })
  server.person = anna
  const begun = await getPage(org, '/login/openid')
  const back = new URL(await server.signIn(begun.headers.location!))
  expect((await getPage(org, back.pathname + back.search)).status).toBe(400)
  const late = await getPage(org, '/login/openid')
  const lateBack = new URL(await server.signIn(late.headers.location!))
  pass(11 * 60)
  const cookie = late.headers['set-cookie']![0]!.split(';')[0]!
  expect((await getPage(org, lateBack.pathname + lateBack.search, { cookie })).status).toBe(400)
})

test('never redirects a browser to another host', async () => {
  const org = await organization()
  await org.person({ email: anna.email })
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'x',
  ]) {
    const landed = await signOnAs(org, anna, `?next=${encodeURIComponent(next)}`)
    expect(landed.headers.location).toBe('/')
  }
})

test('redirects a browser to a path with any characters', async () => {
  const org = await organization()
  await org.person({ email: anna.email })
  const landed = await signOnAs(org, anna, `?next=${encodeURIComponent('/files/Grüße €')}`)
  expect(landed).toMatchObject({ status: 303, headers: { location: '/files/Gr%C3%BC%C3%9Fe%20%E2%82%AC' } })
})

test('rejects deactivated users, and all users where the organization disables the method', async () => {
  const org = await organization()
  const person = await org.person({ email: anna.email })
  await org.owner.delete(`/users/${person.id}`)
  expect(await signOnAs(org, anna)).toMatchObject({
    status: 401,
    text: expect.stringContaining('deactivated'),
  })
  const [failed] = await entriesOf(org.owner)
  expect(failed).toMatchObject({ kind: 'login.fail', object_id: person.id, actor_id: null })
  const client = await org.owner.register()
  const off = { authentication_methods: { Email: true, 'OpenID Connect': false } }
  const { body } = await org.owner.patch('/realm', off)
  expect(body.authentication_methods['OpenID Connect']).toEqual({ enabled: false, available: true })
  await client.expectStateToMatch()
  expect((await getPage(org, '/login/openid')).status).toBe(404)
  expect((await getPage(org, '/login')).text).not.toContain('/login/openid')
})

test('without passwords this is the only login', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { authentication_methods: { Email: false } })
  const { status, body } = await org.visitor.post('/fetch_api_key', { username: 'a@b.c', password: 'x' })
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'PASSWORD_AUTH_DISABLED' })
  expect((await getPage(org, '/login')).text).not.toContain('type="password"')
  const none = { authentication_methods: { 'OpenID Connect': false } }
  expect((await org.owner.patch('/realm', none)).body.msg).toMatch(/^At least one/)
})

test('reports a refusal of the provider', async () => {
  const org = await organization()
  const begun = await getPage(org, '/login/openid')
  const cookie = begun.headers['set-cookie']![0]!.split(';')[0]!
  const state = new URL(begun.headers.location!).searchParams.get('state')
  const path = `/login/openid/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(issuer)}`
  expect(await getPage(org, path, { cookie })).toMatchObject({
    status: 400,
    text: expect.stringContaining('The sign-on was canceled'),
  })
})

test('the page has a separate text for a provider that is down or has an invalid certificate', async () => {
  const org = await organization()
  const expired = await expiredServer()
  for (const [url, sentence] of [
    [`http://127.0.0.1:${await freePort()}`, 'The sign-on service cannot be reached'],
    [expired.url, 'shows a certificate that has expired'],
  ] as const) {
    const other = { signOn: { openId: openIdProvider({ ...settings, issuer: url }) } }
    const lines: string[] = []
    const elsewhere = await startNode(databaseUrl(), { adapters: other, log: (line) => lines.push(line) })
    const place = { ...org.place, port: elsewhere.port }
    const { status, text } = await send(place, {
      method: 'GET',
      path: '/login/openid',
      headers: { accept: 'text/html' },
    })
    expect({ status, text }).toEqual({ status: 503, text: expect.stringContaining(sentence) })
    expect(text).toContain('<!doctype html>')
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ component: 'sign-on service', msg: expect.stringContaining(sentence) }),
    )
    await elsewhere.close()
  }
  await expired.close()
  expect(node().port).toBeGreaterThan(0)
})
