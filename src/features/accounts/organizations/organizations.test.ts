import { beforeAll, expect, test } from 'vitest'
import { type Answer, encode, send } from '../../../../test/http.ts'
import { newOrganization, type Organization } from '../../../../test/organization.ts'
import { getPage } from '../../../../test/pages.ts'
import { publicHost, testServer } from '../../../../test/test-server.ts'

const server = testServer()
const { organization } = server

/** The organization at the public host itself. */
let root: Organization

beforeAll(async () => {
  root = await newOrganization(server.node, '')
})

const password = 'swordfish 12'

/** A browser at one host of the server, with the cookie of another one. */
function at(host: string, known?: string) {
  const cookie: Record<string, string> =
    known === undefined ? {} : { cookie: `rookery-organizations=${known}` }
  const place = { port: server.node.port, host }
  return {
    show: (typed?: string) =>
      send(place, {
        method: 'GET',
        path: `/accounts/go${typed === undefined ? '' : `?${encode({ organization: typed })}`}`,
        headers: { accept: 'text/html', ...cookie },
      }),
    post: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      send(place, {
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: `http://${host}`,
          ...cookie,
          ...headers,
        },
        body: encode(fields),
      }),
  }
}

/** Signs Dora in on the sign-in page, in a browser that has signed in elsewhere. */
async function signIn(org: Organization, known?: string, host = org.place.host) {
  const login = { name: 'Dora', email: 'dora@example.com', password }
  if (!org.state.userByEmail(login.email)) await org.personWithPassword(login)
  return at(host, known).post('/login', { username: login.email, password })
}

const setBy = ({ headers }: Answer) =>
  headers['set-cookie']?.find((one) => one.startsWith('rookery-organizations='))

const listed = ({ text }: Answer) =>
  [...text.matchAll(/<li>\s*<a href="([^"]*)"/g)].map(([, address]) => address)

const nameOf = (org: Organization) => org.state.row.subdomain

test('the page lists where this browser has signed in, the newest first, and marks the present one', async () => {
  const [one, two] = [await organization(), await organization()]
  const first = setBy(await signIn(one))
  expect(first).toMatch(new RegExp(`^rookery-organizations=${nameOf(one)};`))
  const second = setBy(await signIn(two, nameOf(one)))
  expect(second).toMatch(new RegExp(`^rookery-organizations=${nameOf(two)}\\.${nameOf(one)};`))
  const page = await at(one.place.host, `${nameOf(two)}.${nameOf(one)}`).show()
  expect(page.status).toBe(200)
  expect(listed(page)).toEqual([`http://${two.place.host}/`, `http://${one.place.host}/`])
  expect(page.text.match(/aria-current/g)).toHaveLength(1)
  expect(page.text).toContain(`<a href="http://${one.place.host}/" aria-current="true">`)
  const icon = (await one.visitor.get('/server_settings')).body.realm_icon
  expect(page.text).toContain(`<img src="http://${one.place.host}${icon}"`)
  expect(setBy(await signIn(one, `${nameOf(two)}.${nameOf(one)}`))).toMatch(
    new RegExp(`^rookery-organizations=${nameOf(one)}\\.${nameOf(two)};`),
  )
})

test('it is a page like the others, at every host of the server', async () => {
  const org = await organization()
  for (const host of [org.place.host, publicHost, `nobody.${publicHost}`, '127.0.0.1']) {
    const { status, headers, text } = await at(host).show()
    expect(status, host).toBe(200)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`form-action 'self' http://${publicHost} http://*.${publicHost} `)
    expect(text).not.toContain('<script')
  }
  const place = { port: server.node.port, host: `nobody.${publicHost}` }
  const unknown = await getPage({ place }, '/')
  expect(unknown.text).toContain('href="/accounts/go"')
  expect((await send(org.place, { method: 'GET', path: '/login' })).text).toContain('href="/accounts/go"')
  const other = await send(place, { method: 'DELETE', path: '/accounts/go' })
  expect([other.status, other.headers.allow]).toEqual([405, 'GET, HEAD'])
  expect(await send(place, { method: 'HEAD', path: '/accounts/go' })).toMatchObject({ status: 200, text: '' })
})

test('a name, a host or an address leads to the organization', async () => {
  const org = await organization()
  const { host } = org.place
  for (const typed of [
    nameOf(org),
    ` ${nameOf(org).toUpperCase()} `,
    host,
    `${host}:9990`,
    `http://${host}/#feed`,
    `HTTPS://${host}/login?next=/x`,
  ]) {
    const { status, headers } = await at(publicHost).show(typed)
    expect([status, headers.location], typed).toEqual([303, `http://${host}/`])
  }
  const toRoot = await at(host).show(publicHost)
  expect(toRoot.headers.location).toBe(`http://${publicHost}/`)
})

test('an unknown name is said to be unknown, and kept in the field', async () => {
  const org = await organization()
  const page = await at(org.place.host, nameOf(org)).show('nobody')
  expect(page.status).toBe(404)
  expect(page.text).toContain(`There is no organization at nobody.${publicHost}.`)
  expect(page.text).toContain('value="nobody"')
  expect(listed(page)).toHaveLength(1)
})

test.each([
  'https://evil.example',
  'evil.example',
  '//evil.example',
  '\\\\evil.example',
  `https://${publicHost}@evil.example/`,
  `https://evil.example/#.${publicHost}`,
  `${publicHost}.evil.example`,
  `evil${publicHost}`,
  `https://evil.example\\.${publicHost}`,
  `a.b.${publicHost}`,
  `-.${publicHost}`,
  `javascript:alert(1)//.${publicHost}`,
  `javascript://${publicHost}/%0aalert(1)`,
  '"><b>x',
  '@',
  'far'.repeat(500),
])('nothing outside the server is followed: %s', async (typed) => {
  const page = await at(publicHost).show(typed)
  expect(page.headers.location).toBeUndefined()
  expect(page.status).toBe(400)
  expect(page.text).toContain(`This is not an address of this server (${publicHost}).`)
  expect(page.text).not.toContain('<b>')
  expect(page.text).not.toMatch(/(href|src|action)="[^"]*(evil|javascript)/)
})

test('a forged cookie shows nothing but organizations that there are', async () => {
  const org = await organization()
  const known = nameOf(org)
  const { host } = org.place
  const forged = `evil/.${known}."><b>.-x.@.${known}.UPPER.%2e.nobody.https://evil`
  expect(listed(await at(host, forged).show())).toEqual([`http://${host}/`, `http://${publicHost}/`])
  for (const ignored of [`${known}.${'x'.repeat(40)}`.repeat(100), '', '....', `${known};`.repeat(2_000)]) {
    const page = await at(host, ignored).show()
    expect([page.status, listed(page).length], ignored.slice(0, 60)).toEqual([
      200,
      ignored.startsWith(`${known};`) ? 1 : 0,
    ])
  }
  const names = Array.from({ length: 30 }, (_, i) => `name${i}`)
  const [pair = ''] = setBy(await signIn(org, names.join('.')))!.split(';')
  expect(pair).toBe(`rookery-organizations=${[known, ...names].slice(0, 20).join('.')}`)
  const clean = setBy(await signIn(org, 'evil/.-x.@."'))!
  expect(clean).toMatch(new RegExp(`^rookery-organizations=${known}\\.@;`))
})

test('it grants nothing, and signing out keeps it', async () => {
  const org = await organization()
  const place = { ...org.place }
  const own = { method: 'GET', path: '/json/users/me' }
  const stranger = await send(place, { ...own, headers: { cookie: `rookery-organizations=${nameOf(org)}` } })
  expect(stranger.status).toBe(401)
  const [session = ''] = (await signIn(org)).headers['set-cookie']!
  const out = await at(org.place.host).post('/logout', {}, { cookie: session.split(';')[0]! })
  expect(out.status).toBe(303)
  expect(out.headers['set-cookie']).toContainEqual(expect.stringContaining('Max-Age=0'))
  expect(setBy(out)).toBeUndefined()
})

test('a mobile client leaves nothing in the browser, which has no session', async () => {
  const org = await organization()
  await signIn(org)
  const otp = '0123456789abcdef'.repeat(4)
  const login = { username: 'dora@example.com', password, mobile_flow_otp: otp }
  const done = await at(org.place.host).post('/login', login)
  expect([done.status, done.headers['set-cookie']]).toEqual([303, undefined])
})

test('a session that the list does not have joins it with the next page of the web client', async () => {
  const org = await organization()
  const [session = ''] = (await signIn(org)).headers['set-cookie']!
  const load = (known: string, signedIn = session.split(';')[0]!) =>
    send(org.place, {
      method: 'GET',
      path: '/',
      headers: { cookie: `${signedIn}; rookery-organizations=${known}` },
    })
  expect(setBy(await load('@'))).toMatch(new RegExp(`^rookery-organizations=${nameOf(org)}\\.@;`))
  expect(setBy(await load(`@.${nameOf(org)}`))).toBeUndefined()
  expect(setBy(await load('@', 'rookery=nobody'))).toBeUndefined()
})

test('the list forgets one organization, or all', async () => {
  const [one, two] = [await organization(), await organization()]
  const { host } = one.place
  const all = `${nameOf(one)}.@.${nameOf(two)}`
  const forget = (fields: Record<string, string>, headers = {}) =>
    at(host, all).post('/accounts/go/forget', fields, headers)
  const left = await forget({ organization: nameOf(one) })
  expect([left.status, left.headers.location]).toEqual([303, '/accounts/go'])
  expect(setBy(left)).toMatch(
    new RegExp(`^rookery-organizations=@\\.${nameOf(two)}; .*Domain=${publicHost};`),
  )
  expect(setBy(await forget({ organization: '' }))).toContain(`=${nameOf(one)}.${nameOf(two)};`)
  expect(setBy(await forget({ organization: 'nobody' }))).toContain(`=${all};`)
  expect(setBy(await forget({}))).toMatch(new RegExp(`=; .*Domain=${publicHost}; Max-Age=0;`))
  const elsewhere: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: `http://${two.place.host}` },
    { 'sec-fetch-site': 'same-site' },
  ]
  for (const headers of elsewhere) {
    const refused = await forget({}, headers)
    expect([refused.status, setBy(refused)]).toEqual([403, undefined])
  }
})

test('organizations that are gone are left out', async () => {
  const [one, two] = [await organization(), await organization()]
  const known = `${nameOf(one)}.${nameOf(two)}`
  await one.log.commit((change) =>
    change.update('realm', { id: one.id, subdomain: `new-${change.state.row.subdomain}` }),
  )
  expect(listed(await at(two.place.host, known).show())).toEqual([`http://${two.place.host}/`])
})

test.each([
  ['https://chat.example.org', '; Domain=chat.example.org', '; Secure'],
  ['http://chat.example.org:8080', '; Domain=chat.example.org', ''],
  ['http://localhost:9990', '', ''],
  ['http://192.0.2.7', '', ''],
  ['https://[2001:db8::7]', '', '; Secure'],
])('the cookie at %s is for all hosts where browsers allow that', async (address, domain, secure) => {
  const { site } = server.node
  const before = site.publicUrl
  try {
    site.publicUrl = new URL(address)
    expect(setBy(await signIn(root, undefined, site.publicUrl.host))).toBe(
      `rookery-organizations=@; Path=/${domain}; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`,
    )
    const page = await at(site.publicUrl.host, '@').show('nobody')
    expect([page.status, listed(page)]).toEqual([404, [`${site.publicUrl.origin}/`]])
    expect(page.text).toContain(`There is no organization at nobody.${site.publicUrl.host}.`)
  } finally {
    site.publicUrl = before
  }
})

test('where the server is reached by another name than its own, the cookie is for that host alone', async () => {
  expect(setBy(await signIn(root, undefined, '127.0.0.1'))).toBe(
    'rookery-organizations=@; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
  )
})
