import { connect } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Organization } from '../../test/organization.ts'
import { basic } from '../../test/person.ts'
import { world } from '../../test/world.ts'
import { limits } from '../lib/limits.ts'

const { organization } = world()

test('a body that is too large is refused before it is sent', async () => {
  const org = await organization()
  const head = request(org, 'POST /api/v1/messages', `Content-Length: ${limits.requestBody + 1}`)
  const answer = await exchange(org, `${head}\r\n\r\ntype=`)
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  expect(answer).toMatch(/\{"result":"error",.*"code":"BAD_REQUEST"\}\n$/)
})

test.each([
  ['no HTTP at all', 'good morning\r\n\r\n', 400],
  ['a head that never ends', `GET / HTTP/1.1\r\nX: ${'x'.repeat(limits.requestHeaders)}`, 431],
  ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
])('%s', async (_, bytes, status) => {
  const answer = await exchange(await organization(), bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/\{"result":"error","msg":"Malformed request","code":"BAD_REQUEST"\}\n$/)
})

test('a path with a broken escape gets an answer in JSON', async () => {
  const answer = await (await organization()).owner.raw({ method: 'GET', path: '/api/v1/users/%zz' })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
})

test('a client that stops in the middle of its request keeps nobody waiting', async () => {
  const org = await organization()
  const sockets = Array.from({ length: 20 }, (_, i) => {
    const socket = connect(org.place.port, '127.0.0.1')
    socket.write(`${request(org, 'POST /api/v1/messages', 'Content-Length: 100')}\r\n\r\ntype=str`)
    if (i % 2) socket.end()
    return socket
  })
  await sleep(50)
  expect((await org.owner.get('/events', { dont_block: true })).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test('every answer has a request id of its own', async () => {
  const { visitor } = await organization()
  const answers = await Promise.all([
    visitor.get('/messages'),
    visitor.get('/nosuch'),
    visitor.put('/events'),
  ])
  const ids = answers.map((answer) => answer.headers['x-request-id'])
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('no answer may be kept by anybody on the way', async () => {
  const { visitor } = await organization()
  const { headers } = await visitor.get('/messages')
  expect(headers['cache-control']).toMatch(/no-store.*private/)
})

/** The head of a request of the owner, without the empty line that ends it. */
function request({ owner, place }: Organization, line: string, ...headers: string[]) {
  const login = `Authorization: ${basic(owner.email, owner.key)}`
  return [`${line} HTTP/1.1`, `Host: ${place.host}`, login, ...headers].join('\r\n')
}

/** Sends bytes, ends its half of the connection, and answers all that comes back. */
async function exchange({ place }: Organization, bytes: string) {
  const socket = connect({ port: place.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(bytes)
  return readAll(socket)
}
