import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Organization } from '../../test/organization.ts'
import { basic } from '../../test/person.ts'
import { sharedServer } from '../../test/test-server.ts'
import { httpLimits } from './limits.ts'

const { organization } = sharedServer()

test('a body that is too large is refused before it is sent', async () => {
  const org = await organization()
  const head = request(org, 'POST /api/v1/messages', `Content-Length: ${httpLimits.requestBody + 1}`)
  const answer = await exchange(org, `${head}\r\n\r\ntype=`)
  expect(answer).toMatch(/^HTTP\/1.1 413 /)
  expect(answer).toMatch(/\{"result":"error",.*"code":"BAD_REQUEST"\}\n$/)
})

test.each([
  ['no HTTP at all', 'good morning\r\n\r\n', 400],
  ['a head that never ends', `GET / HTTP/1.1\r\nX: ${'x'.repeat(httpLimits.requestHeaders)}`, 431],
  ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
])('%s', async (_, bytes, status) => {
  const answer = await exchange(await organization(), bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toMatch(/\{"result":"error","msg":"Malformed request","code":"BAD_REQUEST"\}\n$/)
})

const part = '--x\r\nContent-Disposition: form-data; name="a"'

test.each([
  ['a file that breaks off', `${part}; filename="b"\r\n\r\nhello`, 'Malformed multipart body'],
  ['a field that breaks off', `${part}\r\n\r\nhello`, 'Malformed multipart body'],
  ['a head that breaks off', part, 'Malformed multipart body'],
  ['very many fields', `${part}\r\n\r\n\r\n`.repeat(15_000), 'Too many parameters'],
  ['very many files', `${part}; filename="b"\r\n\r\n\r\n`.repeat(12_000), 'Too many parameters'],
])('a body of several parts with %s is refused', async (_, body, msg) => {
  const org = await organization()
  for (const [who, path] of [
    [org.visitor, '/api/v1/fetch_api_key'],
    [org.owner, '/api/v1/user_uploads'],
  ] as const) {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await who.raw({ method: 'POST', path, headers, body })
    expect(answer).toMatchObject({ status: 400, body: { msg } })
  }
})

test('a form with very many fields is refused before anything is made of it', async () => {
  const { owner } = await organization()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'a&'.repeat(httpLimits.formBody / 2)
  const answer = await owner.raw({ method: 'POST', path: '/api/v1/messages', headers, body })
  expect(answer).toMatchObject({ status: 400, body: { msg: 'Too many parameters' } })
})

test('only authenticated callers may send large bodies', async () => {
  const { owner, visitor } = await organization()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `type=direct&to=[]&content=${'x'.repeat(httpLimits.anonymousBody)}`
  const path = '/api/v1/messages'
  expect((await owner.raw({ method: 'POST', path, headers, body })).status).toBe(400)
  const wrong = { ...headers, authorization: basic('owner@example.com', 'x'.repeat(32)) }
  for (const sent of [headers, wrong]) {
    const answer = await visitor.raw({ method: 'POST', path, headers: sent, body })
    expect(answer).toMatchObject({ status: 413, body: { msg: 'Request body is too large' } })
  }
})

test('bodies that stay half-sent take no more than their share of memory', async () => {
  const org = await organization()
  const length = `Content-Length: ${httpLimits.requestBody}`
  const head = request(org, 'POST /api/v1/messages', length, 'Expect: 100-continue')
  const large = async () => {
    const headers = { 'content-type': 'application/json' }
    const body = 'x'.repeat(2 ** 24)
    return (await org.owner.raw({ method: 'POST', path: '/api/v1/messages', headers, body })).status
  }
  // The server now knows the organization, so that it counts a body in the moment in which it asks for it.
  await org.owner.get('/users/me')
  const sockets = []
  try {
    for (let i = 0; i < Math.floor(httpLimits.bodyBytesPerNetwork / httpLimits.requestBody); i++) {
      const socket = connect(org.place.port, '127.0.0.1')
      sockets.push(socket)
      socket.write(`${head}\r\n\r\n`)
      // The server is ready for the body.
      await once(socket, 'data')
      socket.write('type=')
    }
    expect(await large()).toBe(503)
    const message = { type: 'direct', to: [org.owner.id], content: 'x' }
    expect((await org.owner.post('/messages', message)).status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await expect.poll(large).toBe(400)
})

test('a form has an end before what comes as it is has one', async () => {
  const { owner } = await organization()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `content=${'x'.repeat(httpLimits.formBody)}`
  const answer = await owner.raw({ method: 'POST', path: '/api/v1/messages', headers, body })
  expect(answer).toMatchObject({ status: 413, body: { msg: 'Request body is too large' } })
})

test('a path with a broken escape gets an answer in JSON', async () => {
  const answer = await (await organization()).owner.raw({ method: 'GET', path: '/api/v1/users/%zz' })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
})

test('a client that stops in the middle of its request delays no other client', async () => {
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

test('no answer may be cached on the way', async () => {
  const { visitor } = await organization()
  const { headers } = await visitor.get('/messages')
  expect(headers['cache-control']).toMatch(/no-store.*private/)
})

test('a method that no operation has is told which ones its path has', async () => {
  const { owner } = await organization()
  const ask = (method: string, path: string) => owner.raw({ method, path })
  expect(await ask('QUERY', '/api/v1/messages')).toMatchObject({
    status: 405,
    headers: { allow: expect.stringMatching(/\bGET\b.*\bPOST\b|\bPOST\b.*\bGET\b/) },
    body: { msg: 'Method Not Allowed', allowed_methods: expect.arrayContaining(['GET', 'POST']) },
  })
  expect((await ask('TRACE', '/nosuch')).status).toBe(404)
  // Any body.
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const broken = { method: 'QUERY', path: '/api/v1/user_uploads', headers, body: 'broken' }
  expect((await owner.raw(broken)).status).toBe(405)
  expect(await ask('PROPFIND', '/pages.css')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})

test('no browser is to guess what an answer is', async () => {
  const org = await organization()
  const { visitor, owner } = org
  const paths = [
    '/api/v1/users/me',
    '/api/v1/messages',
    '/nosuch',
    '/pages.css',
    '/login',
    '/',
    '/api/v1/users/%zz',
  ]
  for (const who of [visitor, owner]) {
    for (const path of paths) {
      const { headers } = await who.raw({ method: 'GET', path })
      expect(headers['x-content-type-options'], path).toBe('nosniff')
    }
  }
  expect(await exchange(org, 'good morning\r\n\r\n')).toContain('X-Content-Type-Options: nosniff\r\n')
})

/** The head of a request of the owner, without the empty line that ends it. */
function request({ owner, place }: Organization, line: string, ...headers: string[]) {
  const login = `Authorization: ${basic(owner.email, owner.key)}`
  return [`${line} HTTP/1.1`, `Host: ${place.host}`, login, ...headers].join('\r\n')
}

/** Sends bytes, ends its half of the connection, and returns all that comes back. */
async function exchange({ place }: Organization, bytes: string) {
  const socket = connect({ port: place.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(bytes)
  return readAll(socket)
}
