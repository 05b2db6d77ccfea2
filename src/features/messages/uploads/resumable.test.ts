import { request } from 'node:http'
import { expect, test } from 'vitest'
import { basic, type Person } from '../../../../test/person.ts'
import { png } from '../../../../test/pictures.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { testServer } from '../../../../test/test-server.ts'
import { uploadLimits } from './limits.ts'

const server = testServer({ uploadQuotaMib: 150 })

const protocol = { 'tus-resumable': '1.0.0' }
const part = { ...protocol, 'content-type': 'application/offset+octet-stream' }
const named = (name: string) => ({
  'upload-metadata': `filename ${Buffer.from(name).toString('base64')},filetype`,
})

/** The requests of a client of the protocol. */
function clientOf(who: Pick<Person, 'raw'>) {
  const at = (location: unknown) => new URL(String(location)).pathname
  return {
    create: (size: number, headers: Record<string, string> = {}, body?: Buffer) =>
      who.raw({
        method: 'POST',
        path: '/api/v1/tus/',
        headers: { ...protocol, 'upload-length': String(size), ...headers },
        body,
      }),
    append: (location: unknown, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
      who.raw({
        method: 'PATCH',
        path: at(location),
        headers: { ...part, 'upload-offset': String(offset), ...headers },
        body,
      }),
    look: (location: unknown) => who.raw({ method: 'HEAD', path: at(location), headers: protocol }),
    end: (location: unknown) => who.raw({ method: 'DELETE', path: at(location), headers: protocol }),
  }
}

async function stored() {
  return pathsIn(server.adapters.files)
}

async function setting() {
  const org = await server.organization()
  const anna = await org.person()
  const mine = async () => (await anna.get('/attachments')).body
  const unfinished = async () => (await stored()).filter((path) => path.startsWith(`${org.id}/unfinished/`))
  return { org, anna, mine, unfinished, tus: clientOf(anna) }
}

test('a file that arrives in parts becomes an ordinary upload, of which its owner hears', async () => {
  const { org, anna, mine, unfinished, tus } = await setting()
  const ben = await org.person()
  const [client, other] = [await anna.register(), await ben.register()]
  const picture = await png(300, 200)
  const created = await tus.create(picture.length, named('Räume & Pläne.png'))
  expect([created.status, created.headers['tus-resumable'], created.headers['upload-offset']]).toEqual([
    201,
    '1.0.0',
    '0',
  ])
  const { location } = created.headers
  expect(location).toMatch(/^http:\/\/[^/]+\/api\/v1\/tus\/[\w-]{24}$/)
  expect(Date.parse(created.headers['upload-expires'] as string)).toBeGreaterThan(Date.now())

  const cuts = [0, 100, 150, picture.length]
  for (let i = 0; i < 2; i++) {
    const answer = await tus.append(location, cuts[i]!, picture.subarray(cuts[i], cuts[i + 1]))
    expect([answer.status, answer.text, answer.headers['upload-offset']]).toEqual([
      204,
      '',
      String(cuts[i + 1]),
    ])
  }
  const there = await tus.look(location)
  expect([there.status, there.headers['upload-offset'], there.headers['upload-length']]).toEqual([
    200,
    '150',
    String(picture.length),
  ])
  expect(there.headers['cache-control']).toBe('no-store')
  expect(await mine()).toEqual({ result: 'success', msg: '', attachments: [], upload_space_used: 0 })
  expect(await unfinished()).toHaveLength(2)

  const last = await tus.append(location, 150, picture.subarray(150))
  expect(last.status).toBe(200)
  const url = expect.stringMatching(new RegExp(`^/user_uploads/${org.id}/.*/Räume-Pläne.png$`))
  expect(last.body).toEqual({ result: 'success', msg: '', uri: url, url, filename: 'Räume & Pläne.png' })
  const { attachments, upload_space_used } = await mine()
  expect([attachments.length, upload_space_used]).toEqual([1, picture.length])
  expect(await client.events()).toMatchObject([
    { type: 'attachment', op: 'add', upload_space_used: picture.length },
  ])
  expect(await other.events()).toEqual([])
  await client.expectStateToMatch()
  expect((await anna.raw({ method: 'GET', path: encodeURI(last.body.url) })).bytes).toEqual(picture)

  // A client that has not received the response asks again.
  expect((await tus.look(location)).headers['upload-offset']).toBe(String(picture.length))
  expect((await tus.append(location, picture.length, Buffer.alloc(0))).body).toEqual(last.body)
  expect((await mine()).attachments).toHaveLength(1)
  await server.workOff()
  expect(await unfinished()).toEqual([])
})

test('a small file may come with the request that begins it', async () => {
  const { mine, tus } = await setting()
  const whole = await tus.create(5, { ...part, ...named('a.txt') }, Buffer.from('hello'))
  expect([whole.status, whole.headers['upload-offset'], whole.body.filename]).toEqual([201, '5', 'a.txt'])
  const begun = await tus.create(5, part, Buffer.from('he'))
  expect([begun.status, begun.headers['upload-offset'], begun.text]).toEqual([201, '2', ''])
  expect((await tus.append(begun.headers.location, 2, Buffer.from('llo'))).body.filename).toBe(
    'uploaded-file',
  )
  expect((await tus.create(0, named('empty.txt'))).body).toMatchObject({ filename: 'empty.txt' })
  expect((await mine()).attachments.map(({ size }: { size: number }) => size)).toEqual([5, 5, 0])
})

test('what has arrived before the connection breaks is kept', async () => {
  const { anna, mine, tus } = await setting()
  const { location } = (await tus.create(2_000_000, named('a.bin'))).headers
  let offset = 0
  // A look takes the place of the request that still waits for the rest, perhaps before anything of it has arrived.
  while (offset === 0) {
    const part = beginPart(anna, new URL(String(location)).pathname)
    while (offset === 0 && !part.closed) {
      offset = Number((await tus.look(location)).headers['upload-offset'])
    }
  }
  const rest = await tus.append(location, offset, Buffer.alloc(2_000_000 - offset, 1))
  expect([rest.status, (await mine()).upload_space_used]).toEqual([200, 2_000_000])
})

/** Sends the first third of a part, and leaves the rest out. */
function beginPart({ place: { host, port }, email, key }: Person, path: string) {
  const headers = {
    ...part,
    host,
    authorization: basic(email, key),
    'upload-offset': '0',
    'content-length': 2_000_000,
  }
  const broken = request({ host: '127.0.0.1', port, method: 'PATCH', path, headers })
  broken.on('error', () => {})
  broken.write(Buffer.alloc(700_000, 1))
  return broken
}

test('of two requests that add at the same place, one fails', async () => {
  const { anna, mine, tus } = await setting()
  const { location } = (await tus.create(6)).headers
  const other = clientOf(anna.at({ ...anna.place, port: (await server.anotherNode()).port }))
  const both = await Promise.all([
    tus.append(location, 0, Buffer.from('abc')),
    other.append(location, 0, Buffer.from('abc')),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  expect((await tus.append(location, 3, Buffer.from('def'))).status).toBe(200)
  const { attachments } = await mine()
  expect(attachments).toHaveLength(1)
  const path = `/user_uploads/${attachments[0].path_id}`
  expect((await anna.raw({ method: 'GET', path })).text).toBe('abcdef')
})

test('a user cannot add to, see or end the upload of another one', async () => {
  const { org, mine, tus } = await setting()
  const { location } = (await tus.create(6)).headers
  const stranger = clientOf(await org.person())
  expect((await stranger.append(location, 0, Buffer.from('abcdef'))).status).toBe(404)
  expect((await stranger.look(location)).status).toBe(404)
  expect((await stranger.end(location)).status).toBe(404)
  expect((await clientOf(org.visitor).create(6)).status).toBe(401)
  expect((await tus.look(location)).headers['upload-offset']).toBe('0')
  expect((await mine()).attachments).toEqual([])
})

test('requests that break the protocol are refused', async () => {
  const { anna, tus } = await setting()
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    anna.raw({ method, path: `/api/v1/tus${path}`, headers })
  const options = await ask('OPTIONS', '', {})
  expect([options.status, options.headers['tus-extension'], options.headers['tus-max-size']]).toEqual([
    204,
    'creation,creation-with-upload,termination,expiration',
    String(uploadLimits.uploadMib * 1024 * 1024),
  ])
  const refused = async (sent: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await sent
    return [status, (body as { msg: string }).msg]
  }
  expect((await ask('POST', '', { 'tus-resumable': '0.2.2', 'upload-length': '5' })).status).toBe(412)
  expect(await refused(ask('POST', '', protocol))).toEqual([400, "Missing the HTTP header 'Upload-Length'"])
  expect(await refused(tus.create(-1))).toEqual([400, 'Upload-Length is not a number of bytes'])
  expect((await tus.create(uploadLimits.uploadMib * 1024 * 1024 + 1)).status).toBe(413)
  expect(await refused(tus.create(5, { 'upload-defer-length': '1' }))).toEqual([
    400,
    'Upload-Defer-Length is not supported',
  ])
  expect(await refused(tus.create(5, { 'upload-metadata': 'filename ä' }))).toEqual([
    400,
    'Upload-Metadata is malformed',
  ])
  const { location } = (await tus.create(5)).headers
  expect((await tus.append(location, 1, Buffer.from('x'))).status).toBe(409)
  expect((await tus.append(location, 0, Buffer.from('x'), { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await tus.append(location, 0, Buffer.from('too long'))).status).toBe(413)
  expect((await tus.append('http://x/api/v1/tus/nothing', 0, Buffer.from('x'))).status).toBe(404)
  expect((await tus.append(location, 0, Buffer.from('hello'))).status).toBe(200)
})

test('an upload can be ended, also where only POST gets through, and ends by itself', async () => {
  const { anna, mine, unfinished, tus } = await setting()
  const begin = async () => String((await tus.create(5, part, Buffer.from('he'))).headers.location)
  const first = await begin()
  expect((await tus.end(first)).status).toBe(204)
  expect((await tus.look(first)).status).toBe(404)
  const path = new URL(await begin()).pathname
  const override = { ...protocol, 'x-http-method-override': 'DELETE' }
  expect((await anna.raw({ method: 'POST', path, headers: override })).status).toBe(204)
  await server.workOff()
  expect(await unfinished()).toEqual([])
  const third = await begin()
  expect(await unfinished()).toHaveLength(1)
  server.pass(uploadLimits.resumableSeconds + 1)
  expect((await tus.append(third, 2, Buffer.from('llo'))).status).toBe(404)
  await server.workOff()
  expect([await unfinished(), (await mine()).attachments]).toEqual([[], []])
})

test('unfinished uploads of one user have a limit, and give way when they are old', async () => {
  const { org, tus } = await setting()
  for (let i = 0; i < uploadLimits.resumableUploads; i++) expect((await tus.create(1)).status).toBe(201)
  const refused = await tus.create(1)
  expect([refused.status, refused.body.msg]).toEqual([400, 'You have too many unfinished uploads'])
  const other = clientOf(await org.person())
  expect((await other.create(1)).status).toBe(201)
  server.pass(uploadLimits.resumableIdleSeconds + 1)
  expect((await tus.create(1)).status).toBe(201)
  expect((await tus.create(100)).status).toBe(201)
})

test('an upload that would exceed the quota is refused when it begins, and when it ends', async () => {
  const { mine, tus } = await setting()
  const size = 90 * 1024 * 1024
  const [one, two] = [await tus.create(size, named('1')), await tus.create(size, named('2'))]
  const content = Buffer.alloc(size)
  expect((await tus.append(one.headers.location, 0, content)).status).toBe(200)
  const refused = { code: 'REALM_UPLOAD_QUOTA' }
  expect((await tus.create(size)).body).toMatchObject(refused)
  expect((await tus.append(two.headers.location, 0, content)).body).toMatchObject(refused)
  expect((await tus.look(two.headers.location)).status).toBe(404)
  expect((await mine()).upload_space_used).toBe(size)
})
