import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { AwsClient } from 'aws4fetch'
import type { Dispatcher } from 'undici'
import { unavailable } from '../../lib/component.ts'
import { ignore } from '../../lib/guard.ts'
import { must } from '../../lib/must.ts'
import type { FileStore } from './file-store.ts'
import { putWith, Spool, streamOf } from './spool.ts'
import { partsOfPath } from './store-path.ts'

/** A bucket of a store that speaks the S3 protocol, and its credentials. */
type S3Options = {
  /** The URL of the store, without the bucket. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** The directory in which received content waits until its length is known; by default one for temporary files. */
  spool?: string
}

type Answer = Dispatcher.ResponseData

/** Files in an S3-compatible store: for several nodes, or where disks are small. */
export function s3Files(options: S3Options): FileStore {
  const spool = new Spool(options.spool ?? join(tmpdir(), 'rookery-uploads'))
  const s3 = new Bucket(options)
  const keep = async (file: string, path: string, size: number) => {
    const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
    const answer = await s3.ask('PUT', path, { headers, body: createReadStream(file), expected: [200] })
    await drop(answer)
  }
  const receive = (content: Readable) => spool.receive(content, keep, { flush: false })
  return {
    async receive(content) {
      const incoming = await receive(content)
      // Here keeping is copying, and the copy is elsewhere.
      const keepAndDiscard = (path: string) => incoming.keep(path).finally(() => incoming.discard())
      return { ...incoming, keep: keepAndDiscard }
    },
    put: (path, content) => putWith(receive, path, content),
    async open(path, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await s3.ask('GET', path, { headers, expected: [200, 206, 404, 416] })
      if (!answer) return undefined
      if (answer.statusCode < 300) return { size: sizeOf(answer), content: mayBeLeft(answer) }
      await drop(answer)
      // An empty file has no range.
      return { size: 0, content: streamOf(Buffer.alloc(0)) }
    },
    async remove(path) {
      await drop(await s3.ask('DELETE', path, { expected: [200, 204, 404] }))
    },
    async check() {
      await drop(await s3.ask('GET', 'check', { expected: [200, 404] }))
    },
    tidy: () => spool.tidy(),
    async *list(prefix) {
      let token: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix,
          ...(token !== undefined && { 'continuation-token': token }),
        }
        const answer = await s3.ask('GET', '', { query, expected: [200] })
        const xml = await must(answer, 'response').body.text()
        for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) yield plain(key)
        token = plain(/<NextContinuationToken>([^<]*)</.exec(xml)?.[1] ?? '') || undefined
      } while (token !== undefined)
    },
  }
}

type Asking = {
  headers?: Record<string, string>
  query?: Record<string, string>
  body?: Readable
  /** Any other status is an error. */
  expected: number[]
}

class Bucket {
  private readonly options: S3Options
  private client: AwsClient | undefined

  constructor(options: S3Options) {
    this.options = options
  }

  /** The answer; undefined for a 404 that is expected. Throws ComponentError. */
  async ask(
    method: Dispatcher.HttpMethod,
    path: string,
    { headers, query, body, expected }: Asking,
  ): Promise<Answer | undefined> {
    const { endpoint, bucket } = this.options
    const parts = path === '' ? [] : partsOfPath(path)
    const url = new URL(
      `${endpoint.replace(/\/$/, '')}/${[bucket, ...parts].map(encodeURIComponent).join('/')}`,
    )
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const signed = await (await this.signer()).sign(url.href, { method, ...(headers && { headers }) })
    const { request } = await import('undici')
    const headersSent = Object.fromEntries(signed.headers)
    try {
      const answer = await request(url, { method, headers: headersSent, ...(body && { body }) })
      const { statusCode: status } = answer
      if (status !== 404 && expected.includes(status)) return answer
      const text = (await answer.body.text()).slice(0, 500)
      // A bucket that is missing is not the same as a file that is.
      if (expected.includes(status) && !text.includes('NoSuchBucket')) return undefined
      throw new Error(`S3 answered ${method} ${url.pathname} with ${status}: ${text}`)
    } catch (error) {
      throw unavailable('file store', error)
    }
  }

  private async signer() {
    const { AwsClient } = await import('aws4fetch')
    const { region, accessKey: accessKeyId, secretKey: secretAccessKey } = this.options
    this.client ??= new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
    return this.client
  }
}

/**
 * Returns the body of a response. Breaking off early emits an error there, which would end the process without a
 * listener.
 */
function mayBeLeft({ body }: Answer): Readable {
  return body.on('error', ignore)
}

/** Returns the size of the whole file, even if the response has only a range of it. */
function sizeOf({ headers }: Answer): number {
  const [, whole] = /\/(\d+)$/.exec(String(headers['content-range'] ?? '')) ?? []
  return Number(whole ?? headers['content-length'])
}

/** Reads the rest of a response, so that its connection can be used again. */
async function drop(answer: Answer | undefined) {
  await answer?.body.dump()
}

function plain(xml: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return xml.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
