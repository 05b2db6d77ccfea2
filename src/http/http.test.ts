import { describe, expect, test } from 'vitest'
import { type RawRequest, send } from '../../test/http.ts'
import { basic } from '../../test/person.ts'
import { publicHost, sharedServer } from '../../test/test-server.ts'
import { httpLimits } from './limits.ts'

const { organization } = sharedServer()

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('paths and methods', () => {
  test.each([
    'GET /api/v1/nosuch',
    'POST /api/v1/nosuch',
    'GET /api/v1/',
    'GET /api/v1/messages/',
    'GET /api/v1/messages/one',
    'GET /api/v1/messages/1/2/3',
    'GET /api/v2',
    'GET /nosuch',
  ])('%s does not exist', async (line) => {
    const [method, path] = line.split(' ') as [string, string]
    const answer = await (await organization()).owner.raw({ method, path })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toMatch('application/json')
    expect(answer.body).toEqual({ result: 'error', msg: 'Page not found', code: 'NOT_FOUND' })
  })

  test('doubled slashes do no harm', async () => {
    const org = await organization()
    const answer = await org.owner.raw({ method: 'POST', path: '/api/v1//messages' })
    expect(answer.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' })
  })

  test('a method that a path does not have is refused, also without login', async () => {
    const { visitor } = await organization()
    const answer = await visitor.put('/messages')
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, POST, HEAD')
    expect(answer.body).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      allowed_methods: ['GET', 'POST', 'HEAD'],
    })
  })

  test('OPTIONS tells the methods', async () => {
    const { visitor } = await organization()
    const answer = await visitor.ask('OPTIONS', '/messages/flags')
    expect(answer.status).toBe(204)
    expect(answer.headers.allow).toBe('POST')
    expect(answer.text).toBe('')
  })

  test('HEAD answers like GET, without the body', async () => {
    const org = await organization()
    const path = '/api/v1/users/me'
    const answer = await org.owner.raw({ method: 'HEAD', path })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(20)
    expect((await send(org.place, { method: 'HEAD', path })).status).toBe(401)
  })

  test('a form may say the method in a field', async () => {
    const { owner } = await organization()
    const made = await owner.get('/events', { dont_block: true })
    const { queue_id } = made.body
    const answer = await owner.post('/events', { method: 'DELETE', queue_id })
    expect(answer.body).toEqual({ result: 'success', msg: '' })
    expect((await owner.delete('/events', { queue_id })).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  })

  test('where events are waited for, there is no HEAD', async () => {
    const { owner, visitor } = await organization()
    const head = await owner.raw({ method: 'HEAD', path: '/api/v1/events?dont_block=true' })
    expect([head.status, head.headers.allow]).toEqual([405, 'DELETE, GET, OPTIONS'])
    for (const person of [owner, visitor]) {
      const answer = await person.post('/events', { queue_id: 'x' })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, GET, OPTIONS'])
      expect(answer.body.allowed_methods).toEqual(['DELETE', 'GET', 'OPTIONS'])
    }
    const options = await visitor.ask('OPTIONS', '/events')
    expect([options.status, options.headers.allow]).toEqual([204, 'DELETE, GET, OPTIONS'])
  })
})

describe('hosts', () => {
  test('an organization that does not exist is not found', async () => {
    const { place } = await organization()
    const answer = await send(
      { ...place, host: `nobody.${publicHost}` },
      { method: 'GET', path: '/api/v1/messages' },
    )
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ result: 'error', msg: 'Invalid subdomain', code: 'NONEXISTENT_SUBDOMAIN' })
  })

  test('a port and capital letters in the host make no difference', async () => {
    const { owner, place } = await organization()
    const host = `${place.host.toUpperCase()}:${place.port}`
    expect((await owner.at({ ...place, host }).get('/events', { dont_block: true })).status).toBe(200)
  })

  test('a key opens no other organization', async () => {
    const [one, other] = [await organization(), await organization()]
    const answer = await send(other.place, {
      method: 'GET',
      path: '/api/v1/events?dont_block=true',
      headers: { authorization: basic(one.owner.email, one.owner.key) },
    })
    expect(answer.body).toMatchObject({ msg: 'Invalid API key', code: 'UNAUTHORIZED' })
  })
})

describe('login', () => {
  const notLoggedIn = 'Not logged in: API authentication or user session required'
  const malformed = 'Invalid authorization header for basic auth'

  test.each([
    [undefined, 401, notLoggedIn],
    ['Basic', 401, malformed],
    ['Basic !!!', 401, malformed],
    ['Basic Zm9v', 401, malformed],
    ['Basic ====', 401, malformed],
    [basic('EMAIL', 'wrong'), 401, 'Malformed API key'],
    [basic('EMAIL', ''), 401, 'Malformed API key'],
    [basic('', ''), 401, 'Malformed API key'],
    [basic('EMAIL', 'A'.repeat(32)), 401, 'Invalid API key'],
    ['Bearer abc', 400, 'This endpoint requires HTTP basic authentication.'],
    ['Digest x', 400, 'This endpoint requires HTTP basic authentication.'],
  ])('Authorization: %s', async (authorization, status, msg) => {
    const { visitor } = await organization()
    const answer = await visitor.get('/messages', {}, { headers: authorization ? { authorization } : {} })
    expect(answer.status).toBe(status)
    const code = status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST'
    expect(answer.body).toEqual({ result: 'error', msg, code })
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="zulip"' : undefined)
  })

  test('a key belongs to one email address, in whatever case', async () => {
    const org = await organization()
    const [ann, bob] = [await org.person(), await org.person()]
    const ask = (authorization: string) =>
      org.visitor.get('/events', { dont_block: true }, { headers: { authorization } })
    expect((await ask(basic(ann.email.toUpperCase(), ann.key))).status).toBe(200)
    expect((await ask(basic(bob.email, ann.key))).body.msg).toBe('Invalid API key')
    expect((await ask(basic('nobody@example.com', ann.key))).body.msg).toBe('Invalid API key')
  })
})

describe('parameters', () => {
  const missingType = { var_name: 'type', code: 'REQUEST_VARIABLE_MISSING' }
  const note = 'type=stream&to=notes&topic=t&content='

  test.each([
    ['application/json', '{"type":"stream","to":"notes","topic":"t","content":"x"}'],
    ['text/plain', `${note}x`],
    ['multipart/form-data; boundary=x', ''],
  ])('are not looked for in a body of type %s', async (type, body) => {
    const org = await organization()
    const headers = { 'content-type': type }
    const answer = await org.owner.raw({ method: 'POST', path: '/api/v1/messages', headers, body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject(missingType)
  })

  test.each([
    ['twice: the last counts', '', `${note}first&content=second`, '<p>second</p>'],
    ['in the query and the form: the form counts', '?content=query', `${note}form`, '<p>form</p>'],
    ['in the query alone', '?topic=t&content=query', 'type=stream&to=notes', '<p>query</p>'],
    ['in bad UTF-8', '', `${note}a%ffb`, '<p>a\u{fffd}b</p>'],
    ['with a broken escape', '', `${note}100%`, '<p>100%</p>'],
  ])('%s', async (_, query, body, expected) => {
    const org = await organization()
    await org.channel({ name: 'notes', subscribers: [org.owner] })
    const sent = await org.owner.raw({
      method: 'POST',
      path: `/api/v1/messages${query}`,
      headers: form,
      body,
    })
    expect(sent.body).toMatchObject({ result: 'success' })
    const { body: found } = await org.owner.get(`/messages/${sent.body.id}`)
    expect(found.message.content).toBe(expected)
  })

  test('come in a multipart body, too', async () => {
    const org = await organization()
    await org.channel({ name: 'notes', subscribers: [org.owner] })
    const fields = { type: 'stream', to: 'notes', topic: 't', content: 'x' }
    const answer = await org.owner.raw(multipart(fields))
    expect(answer.body).toMatchObject({ result: 'success', id: 1 })
  })

  test.each([
    ['without a boundary', 'multipart/form-data', '--x\r\n\r\n--x--'],
    [
      'that ends early',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="type"\r\n\r\nstr',
    ],
    ['that is no such thing', 'multipart/form-data; boundary=x', 'what is this?'],
  ])('a multipart body %s is refused', async (_, type, body) => {
    const org = await organization()
    const headers = { 'content-type': type }
    const answer = await org.owner.raw({ method: 'POST', path: '/api/v1/messages', headers, body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ result: 'error', code: expect.any(String) })
  })

  test('that nobody knows are named, in order', async () => {
    const { owner } = await organization()
    const { body } = await owner.get('/events', { dont_block: true, zebra: '1', ant: '2', client: 'test' })
    expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['ant', 'zebra'] })
  })

  test('under two of their names are refused', async () => {
    const { owner } = await organization()
    const { body } = await owner.post('/messages', { type: 'stream', topic: 'a', subject: 'b' })
    expect(body).toEqual({
      result: 'error',
      msg: "Can't decide between 'topic' and 'subject' arguments",
      var_name1: 'topic',
      var_name2: 'subject',
      code: 'REQUEST_CONFUSING_VAR',
    })
  })

  test('too many of them are refused', async () => {
    const { owner } = await organization()
    const many = Array.from({ length: httpLimits.parametersPerRequest + 1 }, (_, i) => [`p${i}`, '1'])
    const answer = await owner.post('/messages', Object.fromEntries(many))
    expect(answer.body).toMatchObject({ result: 'error', msg: 'Too many parameters' })
  })
})

function multipart(fields: Record<string, string>): RawRequest {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhello\r\n'
  return {
    method: 'POST',
    path: '/api/v1/messages',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: `${parts.join('')}${file}--x--\r\n`,
  }
}
