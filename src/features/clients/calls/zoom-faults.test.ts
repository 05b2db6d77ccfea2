import { afterAll, beforeEach, expect, test } from 'vitest'
import { connect, deadUrl, ZoomServer } from '../../../../test/programs/zoom-server.ts'
import { testServer } from '../../../../test/test-server.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'
import { Zoom } from '../../../adapters/zoom.ts'

const server = await new ZoomServer().start()
const { clientId, clientSecret, url } = server
const anywhere = safeFetch({ mayReach: () => true })
const all = testServer({
  adapters: { zoom: new Zoom({ clientId, clientSecret, url, apiUrl: url }, anywhere) },
})

afterAll(() => server.close())
beforeEach(() => {
  server.instead = undefined
})

async function connected() {
  const org = await all.organization()
  const anna = await org.person({ name: 'Anna' })
  await connect(server, anna)
  return { anna, call: async () => (await anna.post('/calls/zoom/create')).body }
}

test.each([
  ['fails', 500, '<html>', 'Zoom says: status 500', 503],
  [
    'has had enough',
    429,
    '{"message":"You have reached the limit."}',
    'Zoom says: You have reached the limit.',
    503,
  ],
  ['does not allow it', 400, '{"code":4711,"message":"No scope."}', 'Zoom says: No scope.', 400],
  ['sends on', 302, '', 'Zoom says: status 302', 503],
  ['says nothing', 201, '{}', 'Zoom has answered without an address.', 503],
  ['says something else', 201, '["x"]', 'Zoom has answered without an address.', 503],
  [
    'says something dangerous',
    201,
    '{"join_url":"javascript:x"}',
    'Zoom has answered without an address.',
    503,
  ],
  [
    'says too much',
    201,
    JSON.stringify('x'.repeat(70_000)),
    'Zoom does not answer: the answer has more',
    503,
  ],
])('if Zoom %s, that is said, and the token stays', async (_, status, body, reason, expected) => {
  const { anna, call } = await connected()
  server.instead = (path) => (path.endsWith('/meetings') ? { status, body } : undefined)
  const said = await anna.post('/calls/zoom/create')
  const code = expected === 400 ? 'BAD_REQUEST' : 'SERVER_NOT_READY'
  expect([said.status, said.body]).toMatchObject([expected, { code }])
  expect(said.body.msg).toContain(`Failed to create Zoom call. ${reason}`)
  server.instead = undefined
  expect(await call()).toMatchObject({ result: 'success' })
})

test.each([
  ['does not know this server', 401, '{"error":"invalid_client"}', 'Zoom does not know this server.'],
  ['fails', 503, '', 'Zoom says: status 503'],
  ['gives no tokens', 200, '{"access_token":"x"}', 'Zoom has answered without tokens.'],
])('if Zoom %s when a token is to be renewed, it can be renewed later', async (_, status, body, reason) => {
  const { call } = await connected()
  all.pass(3600)
  server.instead = (path) => (path.endsWith('/oauth/token') ? { status, body } : undefined)
  expect(await call()).toMatchObject({ result: 'error', msg: `Failed to create Zoom call. ${reason}` })
  server.instead = undefined
  expect(await call()).toMatchObject({ result: 'success' })
})

test('an unreachable Zoom, or one that rejects our credentials, is reported', async () => {
  const url = await deadUrl()
  const away = new Zoom({ clientId, clientSecret, url, apiUrl: url }, anywhere)
  await expect(away.createMeeting('x', true)).rejects.toThrow(/^Zoom does not answer: it cannot be reached/)
  const stranger = new Zoom(
    { clientId, clientSecret: 'guess', url: server.url, apiUrl: server.url },
    anywhere,
  )
  await expect(stranger.nextTokens('x')).rejects.toMatchObject({
    message: 'Zoom does not know this server.',
    problem: 'Zoom',
  })
})

test('a user who no longer exists at Zoom has no token there', async () => {
  const { anna, call } = await connected()
  const client = await anna.register()
  server.instead = () => ({ status: 404, body: '{"code":1001,"message":"User does not exist."}' })
  expect(await call()).toMatchObject({ code: 'INVALID_ZOOM_TOKEN' })
  expect(await client.events()).toMatchObject([{ type: 'has_zoom_token', value: false }])
  await client.expectStateToMatch()
})
