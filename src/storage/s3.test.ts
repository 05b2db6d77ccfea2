import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { s3Files } from './s3.ts'

const key = { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG' }
const spool = mkdtempSync(join(tmpdir(), 'rookery-spool-'))
const objects = new Map<string, Buffer>()
let server: Server
let endpoint: string

beforeAll(async () => {
  server = createServer(
    (request, response) =>
      void bucket(request).then((answer) => {
        response.writeHead(answer.status, answer.headers)
        response.end(answer.body)
      }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(spool, { recursive: true })
})

const store = ({ secretKey = key.secretKey, bucket = 'files', at = endpoint } = {}) =>
  s3Files({ endpoint: at, bucket, region: 'eu-central-1', accessKey: key.accessKey, secretKey, spool })

describe('a bucket', () => {
  test('keeps what is put, and gives ranges of it', async () => {
    const files = store()
    expect(
      await files.put('1/uploads/5a/x_y-z', Readable.from([Buffer.from('hello '), Buffer.from('world')])),
    ).toBe(11)
    const whole = await files.open('1/uploads/5a/x_y-z')
    expect([whole!.size, await text(whole!.content)]).toEqual([11, 'hello world'])
    const part = await files.open('1/uploads/5a/x_y-z', { start: 6, end: 8 })
    expect([part!.size, await text(part!.content)]).toEqual([11, 'wor'])
    expect(await files.open('1/uploads/5a/nothing')).toBeUndefined()
  })

  test('what comes in is read before it is kept, and leaves nothing on this machine', async () => {
    const files = store()
    const incoming = await files.receive(Readable.from([Buffer.from('abc')]))
    expect([incoming.size, await text(incoming.read({ start: 1, end: 1 }))]).toEqual([3, 'b'])
    await incoming.keep('1/uploads/5a/kept')
    const refused = await files.receive(Readable.from([Buffer.from('no')]))
    await refused.discard()
    expect(await text((await files.open('1/uploads/5a/kept'))!.content)).toBe('abc')
    expect(readdirSync(spool)).toEqual([])
  })

  test('lists by the beginning of a path, page by page, and removes', async () => {
    const files = store()
    for (const name of ['a', 'b', 'c', 'd&e']) await files.put(`2/pictures/${name}`, Buffer.from(name))
    await files.put('2/other', Buffer.alloc(0))
    const paths: string[] = []
    for await (const path of files.list('2/pictures/')) paths.push(path)
    expect(paths).toEqual(['2/pictures/a', '2/pictures/b', '2/pictures/c', '2/pictures/d&e'])
    await files.remove('2/pictures/a')
    await files.remove('2/pictures/a')
    expect(await files.open('2/pictures/a')).toBeUndefined()
    const empty = await files.open('2/other', { start: 0, end: 0 })
    expect([empty!.size, await text(empty!.content)]).toEqual([0, ''])
  })

  test('that refuses says why, and nothing stays on this machine', async () => {
    const files = store({ secretKey: 'another key' })
    await expect(files.put('3/x', Buffer.from('x'))).rejects.toMatchObject({
      component: 'file store',
      cause: { message: expect.stringMatching(/403: .*SignatureDoesNotMatch/) },
    })
    expect(objects.has('3/x')).toBe(false)
    expect(readdirSync(spool)).toEqual([])
  })
})

test('a bucket that is missing is no file that is missing; and neither is a store that is away', async () => {
  const missing = store({ bucket: 'nobody' })
  const failed = { component: 'file store', cause: { message: expect.stringContaining('NoSuchBucket') } }
  await expect(missing.open('3/x')).rejects.toMatchObject(failed)
  await expect(missing.put('3/x', Buffer.from('x'))).rejects.toMatchObject(failed)
  await expect(missing.remove('3/x')).rejects.toMatchObject(failed)
  const away = store({ at: 'http://127.0.0.1:9' })
  await expect(away.open('3/x')).rejects.toMatchObject({ component: 'file store' })
  await expect(away.put('3/x', Buffer.from('x'))).rejects.toMatchObject({ component: 'file store' })
  expect(readdirSync(spool)).toEqual([])
})

type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** As much of the protocol as a store must have for us. */
async function bucket(request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url!, 'http://s3')
  const body = await buffer(request)
  if (!isSigned(request, url)) return { status: 403, body: '<Code>SignatureDoesNotMatch</Code>' }
  if (!/^\/files(\/|$)/.test(url.pathname)) return { status: 404, body: '<Code>NoSuchBucket</Code>' }
  if (url.pathname === '/files') return { status: 200, body: listing(url.searchParams) }
  const path = decodeURIComponent(url.pathname.slice('/files/'.length))
  const found = objects.get(path)
  if (request.method === 'PUT') {
    if (request.headers['content-length'] === undefined) return { status: 411 }
    objects.set(path, body)
    return { status: 200 }
  }
  if (request.method === 'DELETE') return { status: objects.delete(path) ? 204 : 204 }
  if (!found) return { status: 404, body: '<Code>NoSuchKey</Code>' }
  const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
  if (start === undefined)
    return { status: 200, headers: { 'content-length': `${found.length}` }, body: found }
  if (Number(start) >= found.length) return { status: 416 }
  const part = found.subarray(Number(start), Number(end) + 1)
  const range = `bytes ${start}-${Number(start) + part.length - 1}/${found.length}`
  return { status: 206, headers: { 'content-range': range }, body: part }
}

/** Two keys a page. */
function listing(query: URLSearchParams): string {
  const keys = [...objects.keys()].filter((path) => path.startsWith(query.get('prefix')!)).sort()
  const from = Number(query.get('continuation-token') ?? 0)
  const page = keys.slice(from, from + 2)
  const more = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
  const rows = page.map((path) => `<Contents><Key>${path.replaceAll('&', '&amp;')}</Key></Contents>`)
  return `<ListBucketResult>${rows.join('')}${more}</ListBucketResult>`
}

/** Signature Version 4, as the protocol describes it. */
function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const form = /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/
  const [, credential = '', signedHeaders = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const [accessKey, ...scope] = credential.split('/')
  const names = signedHeaders.split(';')
  const canonical = [
    method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), hash].join('\n')
  const sign = (secret: string | Buffer, value: string) => createHmac('sha256', secret).update(value).digest()
  const signingKey = scope.reduce<string | Buffer>(sign, `AWS4${key.secretKey}`)
  return (
    accessKey === key.accessKey && createHmac('sha256', signingKey).update(toSign).digest('hex') === signature
  )
}
