import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import { send } from '../../../../test/http.ts'
import type { Organization } from '../../../../test/organization.ts'
import { getPage } from '../../../../test/pages.ts'
import { basic, type Person } from '../../../../test/person.ts'
import { asBrowser, backFromZoom, connect, ZoomServer } from '../../../../test/programs/zoom-server.ts'
import { startNode, testServer } from '../../../../test/test-server.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'
import { Zoom } from '../../../adapters/zoom.ts'

const server = await new ZoomServer().start()
const { clientId, clientSecret, url } = server
const zoom = new Zoom({ clientId, clientSecret, url, apiUrl: url }, safeFetch({ mayReach: () => true }))
const all = testServer({ adapters: { zoom } })
const plain = testServer()
const noToken = { result: 'error', msg: 'Invalid Zoom access token', code: 'INVALID_ZOOM_TOKEN' }

afterAll(() => server.close())
beforeEach(() => {
  Object.assign(server, { instead: undefined, lifetime: 3600, delayMs: 0 })
  server.meetings.length = 0
  server.grants.length = 0
})

async function call(person: Person, params = {}) {
  return (await person.post('/calls/zoom/create', params)).body
}

async function connected(): Promise<{ org: Organization; anna: Person }> {
  const org = await all.organization()
  const anna = await org.person({ name: 'Anna' })
  await connect(server, anna)
  return { org, anna }
}

const tellsOfToken = (value: boolean) => [expect.objectContaining({ type: 'has_zoom_token', value })]

test('a user who has authorized Zoom creates calls there, and no other user is notified', async () => {
  const org = await all.organization()
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const [hers, his] = [await anna.register(), await ben.register()]
  expect(hers.state.has_zoom_token).toBe(false)
  expect(await call(anna)).toEqual(noToken)
  await connect(server, anna)
  expect(await hers.events()).toEqual(tellsOfToken(true))
  expect(await his.events()).toEqual([])
  expect((await anna.register()).state.has_zoom_token).toBe(true)
  expect((await ben.register()).state.has_zoom_token).toBe(false)
  await hers.expectStateToMatch()
  expect(await call(anna)).toMatchObject({ result: 'success', url: 'https://zoom.example/j/1?pwd=x' })
  expect(await call(anna, { is_video_call: false })).toMatchObject({ url: 'https://zoom.example/j/2?pwd=x' })
  expect(server.meetings).toMatchObject([
    { default_password: true, settings: { host_video: true, participant_video: true } },
    { default_password: true, settings: { host_video: false, participant_video: false } },
  ])
  expect(await call(ben)).toEqual(noToken)
  expect(server.grants).toEqual(['authorization_code'])
  expect(await hers.events()).toEqual([])
})

test('a browser goes to Zoom and returns in its session, and logs in first', async () => {
  const org = await all.organization()
  await org.owner.post('/users', { email: 'dora@example.com', full_name: 'Dora', password: 'swordfish 12' })
  const browser = new Browser(org.place)
  const stranger = await browser.ask('GET', '/calls/zoom/register')
  expect([stranger.status, stranger.headers.location]).toEqual([
    302,
    '/login?next=%2Fcalls%2Fzoom%2Fregister',
  ])
  await browser.logIn('dora@example.com', 'swordfish 12')
  const begun = await browser.ask('GET', '/calls/zoom/register')
  const path = ({ pathname, search }: URL) => pathname + search
  const landed = await browser.ask('GET', path(server.allow(begun.headers.location!)))
  expect([landed.status, landed.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await browser.ask('POST', '/json/calls/zoom/create')).body).toMatchObject({ result: 'success' })

  const again = await browser.ask('GET', '/calls/zoom/register')
  const other = new Browser(org.place)
  await other.logIn('dora@example.com', 'swordfish 12')
  const elsewhere = await other.ask('GET', path(server.allow(again.headers.location!)))
  expect([elsewhere.status, elsewhere.body.msg]).toEqual([400, expect.stringContaining('in another browser')])
})

test('an OAuth state is valid once, for some minutes, for the user who started', async () => {
  const org = await all.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const refused = { status: 400, text: expect.stringContaining('try again') }
  const hers = await backFromZoom(server, anna)
  expect(await asBrowser(ben, hers)).toMatchObject(refused)
  const visitor = await getPage(org, hers)
  expect(visitor).toMatchObject(refused)
  expect(await asBrowser(anna, hers.replace(/state=..../, 'state=AAAA'))).toMatchObject(refused)
  expect(await asBrowser(anna, hers.replace(/&state=.*/, ''))).toMatchObject(refused)
  expect(server.grants).toEqual([])
  expect((await asBrowser(anna, hers)).status).toBe(200)
  expect(await asBrowser(anna, hers)).toMatchObject(refused)
  const late = await backFromZoom(server, ben)
  all.pass(11 * 60)
  expect(await asBrowser(ben, late)).toMatchObject(refused)
  const ways: string[] = []
  for (let way = 0; way < 6; way++) {
    ways.push(await backFromZoom(server, ben))
    all.pass(1)
  }
  expect(await asBrowser(ben, ways[0]!)).toMatchObject(refused)
  expect((await asBrowser(ben, ways[1]!)).status).toBe(200)
})

test('a user who denies access, or returns with an invalid code, has no token', async () => {
  const org = await all.organization()
  const anna = await org.person()
  const denied = (await backFromZoom(server, anna)).replace(/code=[^&]*/, 'error=access_denied')
  expect(await asBrowser(anna, denied)).toMatchObject({
    status: 400,
    text: expect.stringContaining('you did not allow it'),
  })
  const forged = (await backFromZoom(server, anna)).replace(/code=[^&]*/, 'code=guessed')
  expect(await asBrowser(anna, forged)).toMatchObject({
    status: 400,
    text: expect.stringContaining('Zoom was not connected. Zoom does not accept the token.'),
  })
  expect(await call(anna)).toEqual(noToken)
})

test('bots have no account at Zoom', async () => {
  const org = await all.organization()
  const { body } = await org.owner.post('/bots', { full_name: 'Bot', short_name: 'bot', bot_type: 1 })
  const { bots } = (await org.owner.get('/bots')).body
  const email = bots[0].username
  const headers = { authorization: basic(email, body.api_key) }
  const there = await send(org.place, { method: 'GET', path: '/calls/zoom/register', headers })
  expect([there.status, there.body.msg]).toEqual([400, 'This endpoint does not accept bot requests.'])
})

test('an expired token is renewed once, regardless of the number of calls that need it', async () => {
  const { anna } = await connected()
  const client = await anna.register()
  const node = await all.anotherNode()
  const there = anna.at({ ...anna.place, port: node.port })
  for (let round = 1; round <= 3; round++) {
    all.pass(3550)
    server.expire()
    server.delayMs = 300
    const calls = await Promise.all([call(anna), call(there), call(anna), call(there), call(anna)])
    expect(calls.map(({ result }) => result)).toEqual(Array(5).fill('success'))
    expect(server.grants).toEqual(['authorization_code', ...Array(round).fill('refresh_token')])
  }
  expect(await client.events()).toEqual([])
})

test('tokens that expire immediately are valid for the call that renews them', async () => {
  server.lifetime = 30
  const { anna } = await connected()
  expect(await call(anna)).toMatchObject({ result: 'success' })
  expect(server.grants).toEqual(['authorization_code', 'refresh_token'])
})

test.each([
  ['while it is still fresh', 0],
  ['when it is to be renewed', 3600],
])('a token that is withdrawn at Zoom is forgotten: %s', async (_, seconds) => {
  const { org, anna } = await connected()
  const [client, others] = [await anna.register(), await org.owner.register()]
  server.withdraw()
  all.pass(seconds)
  expect(await call(anna)).toEqual(noToken)
  expect(await client.events()).toEqual(tellsOfToken(false))
  await client.expectStateToMatch()
  expect(await others.events()).toEqual([])
  expect(await call(anna)).toEqual(noToken)
  expect(await client.events()).toEqual([])
  await connect(server, anna)
  expect(await call(anna)).toMatchObject({ result: 'success' })
})

test('a deactivated user has no token any more', async () => {
  const { org, anna } = await connected()
  const waiting = await backFromZoom(server, anna)
  expect((await org.owner.delete(`/users/${anna.id}`)).body).toMatchObject({ result: 'success' })
  expect((await asBrowser(anna, waiting)).status).toBe(401)
  expect(await rows('zoom_token', org)).toEqual([])
  expect(await rows('zoom_departure', org)).toEqual([])
})

test('nor has a user who is deactivated while Zoom processes the request', async () => {
  const org = await all.organization()
  const anna = await org.person()
  const back = await backFromZoom(server, anna)
  server.delayMs = 400
  const landing = asBrowser(anna, back)
  while (server.grants.length === 0) await sleep(10)
  expect((await org.owner.delete(`/users/${anna.id}`)).body).toMatchObject({ result: 'success' })
  expect((await landing).status).toBe(401)
  expect(await rows('zoom_token', org)).toEqual([])
})

test('the database contains only sealed tokens, and another secret does not open them', async () => {
  const { org, anna } = await connected()
  await backFromZoom(server, anna)
  await call(anna)
  const [row] = await rows('zoom_token', org)
  const stored = JSON.stringify([row, await rows('zoom_departure', org)]) + row.sealed
  expect(stored).not.toContain('access-')
  const text = Buffer.from(row.sealed, 'base64').toString('latin1')
  expect(text).not.toMatch(/access-|refresh-/)
  const client = await anna.register()
  const node = await startNode(all.databaseUrl, {
    adapters: { zoom },
    secret: 'another secret, of another server',
  })
  expect(await call(anna.at({ ...anna.place, port: node.port }))).toEqual(noToken)
  await node.close()
  expect(await client.next()).toEqual(tellsOfToken(false))
})

test('organizations may choose Zoom if the server has it', async () => {
  const { owner } = await all.organization()
  const client = await owner.register()
  expect(client.state.realm_available_video_chat_providers).toEqual({
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    zoom: { name: 'Zoom', id: 3 },
  })
  expect((await owner.patch('/realm', { video_chat_provider: 3 })).body).toMatchObject({ result: 'success' })
  await client.expectStateToMatch()
})

test('without Zoom, there are no such calls', async () => {
  const { owner } = await plain.organization()
  expect(await call(owner)).toEqual({
    result: 'error',
    msg: 'Zoom credentials have not been configured',
    code: 'BAD_REQUEST',
  })
  for (const path of ['/calls/zoom/register', '/calls/zoom/complete?code=x&state=y']) {
    expect((await asBrowser(owner, path)).status).toBe(400)
  }
  expect((await owner.patch('/realm', { video_chat_provider: 3 })).body.msg).toBe(
    'Invalid video_chat_provider 3',
  )
})

async function rows(table: string, org: Organization) {
  const client = new pg.Client({ connectionString: all.databaseUrl })
  await client.connect()
  try {
    return (await client.query(`SELECT * FROM ${table} WHERE realm_id = $1`, [org.id])).rows
  } finally {
    await client.end()
  }
}
