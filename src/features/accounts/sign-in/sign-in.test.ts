import { expect, test } from 'vitest'
import { createUser } from '../../../../test/accounts.ts'
import type { Organization } from '../../../../test/organization.ts'
import { getPage, submitForm } from '../../../../test/pages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const password = 'swordfish 12'
const account = { name: 'Dora', email: 'dora@example.com', password }
const login = { username: account.email, password }

async function signedIn(org: Organization, name = 'Dora') {
  const { id } = await createUser(org, { ...account, name })
  const { headers } = await submitForm(org, '/login', login)
  return { id, cookie: headers['set-cookie']![0]!.split(';')[0]! }
}

test('a page that needs a login leads to the sign-in page, and then to the requested page', async () => {
  const org = await organization()
  await createUser(org, account)
  expect((await getPage(org, '/account')).headers.location).toBe('/login?next=%2Faccount')
  const page = await getPage(org, '/login?next=%2Faccount')
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('name="next" value="/account"') })
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.text).not.toContain('<script')
  const done = await submitForm(org, '/login', { ...login, next: '/account' })
  expect({ status: done.status, to: done.headers.location }).toEqual({ status: 303, to: '/account' })
  expect((await getPage(org, '/accounts/login?next=x')).headers.location).toBe('/login?next=x')
  const far = await getPage(org, `/accounts/login?next=${encodeURIComponent('\u2028'.repeat(3_000))}`)
  expect(far).toMatchObject({ status: 400, text: expect.stringContaining('next is too long') })
})

test('the sign-in page says that the session has ended, to those who had one', async () => {
  const org = await organization()
  const { id, cookie } = await signedIn(org)
  const ended = 'Your session has ended.'
  expect((await getPage(org, '/login')).text).not.toContain(ended)
  await org.owner.delete(`/users/${id}`)
  expect((await getPage(org, '/login', { cookie })).text).toContain(ended)
})

test('a program that requests a page receives JSON', async () => {
  const org = await organization()
  const { status, body } = await org.visitor.raw({ method: 'GET', path: '/account' })
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' })
})

test('a wrong password leads back to the form, with only the name filled in', async () => {
  const org = await organization()
  const failed = await submitForm(org, '/login', { username: '"><b>@example.com', password: 'guess 123' })
  expect(failed.status).toBe(400)
  await createUser(org, account)
  const wrong = await submitForm(org, '/login', { username: account.email, password: 'guess 123' })
  expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining('incorrect') })
  expect(wrong.text).toContain(`value="${account.email}"`)
  expect(failed.text + wrong.text).not.toContain('guess 123')
  expect(failed.text).not.toContain('<b>')
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('after a wrong password, the field of the password has the focus', async () => {
  const org = await organization()
  await createUser(org, account)
  const focused = (text: string) => /<input name="(\w+)"[^>]* autofocus>/.exec(text)?.[1]
  expect(focused((await getPage(org, '/login')).text)).toBe('username')
  expect(focused((await submitForm(org, '/login', { ...login, password: 'guess 123' })).text)).toBe(
    'password',
  )
})

test('the sign-in page leads to the form to join while the organization is open to all', async () => {
  const org = await organization()
  const link = '<a href="/register">Join '
  expect((await getPage(org, '/login')).text).not.toContain(link)
  await org.owner.patch('/realm', { invite_required: false })
  expect((await getPage(org, '/login')).text).toContain(link)
  expect((await getPage(org, `/login?mobile_flow_otp=${'0'.repeat(64)}`)).text).not.toContain(link)
})

test('a slash at the end of the address of a page makes no difference', async () => {
  const org = await organization()
  await org.owner.patch('/realm', { invite_required: false })
  for (const path of ['/login', '/register', '/accounts/password/reset']) {
    const [without, with_] = [await getPage(org, path), await getPage(org, `${path}/`)]
    expect([with_.status, with_.text]).toEqual([200, without.text])
  }
  expect((await getPage(org, '/accounts/login/?next=x')).headers.location).toBe('/login?next=x')
  await createUser(org, account)
  expect((await submitForm(org, '/login/', login)).status).toBe(303)
})

test('another site can neither sign its visitor in nor use a session', async () => {
  const org = await organization()
  await createUser(org, account)
  const evil = { origin: 'https://evil.example' }
  expect(await submitForm(org, '/login', login, evil)).toMatchObject({ status: 403 })
  const cookie = (await submitForm(org, '/login', login)).headers['set-cookie']![0]!.split(';')[0]!
  const key = [...org.state.sessions.values()][0]!
  expect((await submitForm(org, `/account/sessions/${key.id}/end`, {}, { cookie, ...evil })).status).toBe(403)
  expect((await getPage(org, '/account', { cookie })).status).toBe(200)
})

test('a mobile client that opens the page receives a key that only it can read', async () => {
  const org = await organization()
  const { id } = await createUser(org, account)
  const otp = '0123456789abcdef'.repeat(4)
  expect((await getPage(org, `/login?mobile_flow_otp=${otp}`)).text).toContain(`value="${otp}"`)
  const done = await submitForm(org, '/login', { ...login, mobile_flow_otp: otp })
  expect(done.headers['set-cookie']).toBeUndefined()
  const sent = new URL(done.headers.location!).searchParams
  expect(sent.get('user_id')).toBe(String(id))
  expect(sent.get('otp_encrypted_api_key')).toMatch(/^[0-9a-f]{64}$/)
  expect((await submitForm(org, '/login', { ...login, mobile_flow_otp: 'zz' })).status).toBe(400)
})

test('the account page lists sessions, keys and logins, and can end them', async () => {
  const org = await organization()
  const { id, cookie } = await signedIn(org, 'Dora & Co <3')
  await org.visitor.post('/fetch_api_key', login, { headers: { 'user-agent': 'ZulipTerminal/0.7' } })
  const { text } = await getPage(org, '/account', { cookie })
  expect(text).toContain('Dora &amp; Co &lt;3')
  expect(text).toContain('ZulipTerminal')
  const [revoke] = /\/account\/keys\/\d+\/revoke/.exec(text)!
  expect((await submitForm(org, revoke, {}, { cookie })).headers.location).toBe('/account')
  expect([...org.state.apiKeysOfUser(id)]).toEqual([])
  const out = await submitForm(org, '/logout', {}, { cookie })
  expect(out.headers.location).toBe('/login')
  expect((await getPage(org, '/account', { cookie })).status).toBe(303)
  const again = await submitForm(org, '/logout', {}, { cookie })
  expect(again.headers).toMatchObject({ location: '/login' })
  expect(again.headers).not.toHaveProperty('set-cookie')
})
