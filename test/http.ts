import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'

/** A node's port, and the organization's host name. */
export type Place = { port: number; host: string }

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  /** As they came. */
  bytes: Buffer
  text: string
  /** The JSON of the response; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  body: any
}

/** The body of a successful response that has nothing more to say. */
export const success = { result: 'success', msg: '' }

export type RawRequest = {
  method: string
  /** As it goes over the wire, with its query. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer | undefined
}

const agent = new Agent({ keepAlive: true })

/** Sends one request over a real connection. fetch() would not let us choose the Host header. */
export function send({ port, host }: Place, { method, path, headers, body }: RawRequest): Promise<Answer> {
  // Node leaves the length out for some methods, DELETE among them.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: '127.0.0.1', port, method, path, headers: { host, ...length, ...headers } },
      (incoming) => {
        const pieces: Buffer[] = []
        incoming.on('data', (piece) => pieces.push(piece))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode, headers } = incoming
          const bytes = Buffer.concat(pieces)
          const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
          resolve({ status: statusCode!, headers, bytes, text, body: parse(text) })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Resolves when a connection or a response closes. Its peer may end it by a reset, which is no error here. */
export function closed(stream: Duplex | Readable): Promise<void> {
  if (stream.closed) return Promise.resolve()
  stream.on('error', () => {})
  return new Promise((resolve) => stream.once('close', resolve))
}

export type Sent = Record<string, unknown>

/** Encodes parameters as clients do: texts as they are, everything else as JSON. */
export function encode(params: Sent): string {
  const coded = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) coded.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return coded.toString()
}

/** Ends the connections that are kept for later requests. */
export function closeConnections() {
  agent.destroy()
}
