import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const key = { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG' }

/** A store of files that speaks the S3 protocol, with one bucket, `files`. */
export type BucketServer = {
  endpoint: string
  key: typeof key
  /** The objects in the bucket, by key. */
  objects: Map<string, Buffer>
  /** The settings of a server that uses it. */
  settings: NodeJS.ProcessEnv
  stop(): void
}

export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>()
  const server = createServer(
    (request, response) =>
      void answerTo(request, objects).then((answer) => {
        response.writeHead(answer.status, answer.headers)
        response.end(answer.body)
      }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = {
    ROOKERY_S3_BUCKET: 'files',
    ROOKERY_S3_ENDPOINT: endpoint,
    ROOKERY_S3_ACCESS_KEY: key.accessKey,
    ROOKERY_S3_SECRET_KEY: key.secretKey,
  }
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { endpoint, key, objects, settings, stop }
}

type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** Implements as much of the protocol as our client needs. */
async function answerTo(request: IncomingMessage, objects: Map<string, Buffer>): Promise<Reply> {
  const url = new URL(request.url!, 'http://s3')
  const body = await buffer(request)
  if (!isSigned(request, url)) return { status: 403, body: '<Code>SignatureDoesNotMatch</Code>' }
  if (!/^\/files(\/|$)/.test(url.pathname)) return { status: 404, body: '<Code>NoSuchBucket</Code>' }
  if (url.pathname === '/files') return { status: 200, body: listing(objects, url.searchParams) }
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
function listing(objects: Map<string, Buffer>, query: URLSearchParams): string {
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
