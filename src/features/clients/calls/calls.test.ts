import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { send } from '../../../../test/http.ts'
import { basic, type Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { BigBlueButton } from '../../../adapters/big-blue-button.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'

const secret = 'open sesame'
const asked: URL[] = []
let answer = '<response><returncode>SUCCESS</returncode><createTime>123</createTime></response>'

/** A substitute for a BigBlueButton server. */
const server = createServer((incoming, outgoing) => {
  asked.push(new URL(incoming.url!, 'http://bbb'))
  outgoing.end(answer)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bigbluebutton`
const bigBlueButton = new BigBlueButton(url, secret, safeFetch({ mayReach: () => true }))
const lines: string[] = []
const all = testServer({ adapters: { bigBlueButton }, log: (line) => lines.push(line) })
const plain = testServer()

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Opens the address of a call as a user's browser does. */
function follow(person: Person, url: string, login = true) {
  const { pathname, search } = new URL(url)
  const headers = login ? { authorization: basic(person.email, person.key) } : undefined
  return send(person.place, { method: 'GET', path: pathname + search, ...(headers && { headers }) })
}

function isSigned(url: URL) {
  const action = url.pathname.split('/').at(-1)
  const [query, checksum] = url.search.slice(1).split('&checksum=')
  return checksum === createHash('sha256').update(`${action}${query}${secret}`).digest('hex')
}

test('a call on BigBlueButton can be created, and logged-in users can join it', async () => {
  const org = await all.organization()
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const { body } = await anna.get('/calls/bigbluebutton/create', {
    meeting_name: 'Täglich',
    voice_only: true,
  })
  expect(body).toMatchObject({ result: 'success' })
  for (const [person, role] of [
    [anna, 'MODERATOR'],
    [ben, 'VIEWER'],
  ] as const) {
    const { status, headers } = await follow(person, body.url)
    expect(status).toBe(302)
    const room = asked.at(-1)!
    expect([room.pathname, isSigned(room)]).toEqual(['/bigbluebutton/api/create', true])
    expect(room.searchParams.get('name')).toBe('Täglich')
    expect(room.searchParams.get('lockSettingsDisableCam')).toBe('true')
    const door = new URL(headers.location!)
    expect([door.pathname, isSigned(door)]).toEqual(['/bigbluebutton/api/join', true])
    expect(Object.fromEntries(door.searchParams)).toMatchObject({
      meetingID: room.searchParams.get('meetingID'),
      role,
      fullName: person.name,
      createTime: '123',
    })
  }
  const stranger = await follow(ben, body.url, false)
  expect([stranger.status, stranger.headers.location]).toEqual([
    302,
    expect.stringMatching(/^\/login\?next=%2Fcalls/),
  ])
  const others = await all.organization()
  for (const [person, url] of [
    [others.owner, body.url],
    [ben, body.url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))],
    [ben, body.url.replace(/=.*/, '=')],
  ]) {
    expect((await follow(person, url)).body.msg).toBe('Invalid signature.')
  }
})

test('an error of the BigBlueButton server is reported', async () => {
  const { owner } = await all.organization()
  const { url } = (await owner.get('/calls/bigbluebutton/create', { meeting_name: 'x' })).body
  answer = '<response><returncode>FAILED</returncode></response>'
  const { status, body } = await follow(owner, url)
  expect([status, body.msg]).toEqual([503, 'BigBlueButton server returned an unexpected error.'])
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ component: 'BigBlueButton', msg: expect.stringContaining('FAILED') }),
  )
})

test('organizations may choose BigBlueButton if the server has it', async () => {
  const { owner } = await all.organization()
  expect((await owner.patch('/realm', { video_chat_provider: 4 })).body).toMatchObject({ result: 'success' })
  const registered = (await owner.post('/register')).body
  expect(registered.realm_available_video_chat_providers.big_blue_button).toEqual({
    name: 'BigBlueButton',
    id: 4,
  })
})

test('without a BigBlueButton server, there are no such calls', async () => {
  const { owner } = await plain.organization()
  const { status, body } = await owner.get('/calls/bigbluebutton/create', { meeting_name: 'x' })
  expect([status, body.msg]).toEqual([400, 'BigBlueButton is not configured.'])
  expect((await owner.patch('/realm', { video_chat_provider: 4 })).body.msg).toBe(
    'Invalid video_chat_provider 4',
  )
  const registered = (await owner.post('/register')).body
  expect(Object.keys(registered.realm_available_video_chat_providers)).toEqual(['disabled', 'jitsi_meet'])
})
