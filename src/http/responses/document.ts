import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Chunk } from '../../lib/gzip/gzip-chunks.ts'
import { readMethods, routed } from '../connection/head.ts'
import { methodNotAllowed } from './answer.ts'
import { acceptsCoding, sendChunks } from './send.ts'

/** The bytes of a document, and their compressed forms by content coding, made in advance. */
export class Encoded {
  readonly identity: Buffer
  readonly codings: { br?: Buffer; gzip?: Buffer }

  constructor(identity: Buffer, codings: { br?: Buffer; gzip?: Buffer }) {
    this.identity = identity
    this.codings = codings
  }
}

/** A document that is the same for all callers and is not part of the API: served without login, and cached. */
export type Document = {
  path: string
  contentType: string
  /** How long it may be cached, in seconds. */
  maxAge: number
  /** Headers that it has besides, or in place of the usual ones. */
  headers?: Record<string, string>
  /** A text, or the bytes of something else. */
  body(): Promise<Chunk[] | Buffer | Encoded>
}

/** Lets the server answer GET at the document's path, without login. */
export function serveDocument(app: FastifyInstance, { path, contentType, maxAge, headers, body }: Document) {
  const handler = async ({ method }: FastifyRequest, reply: FastifyReply) => {
    if (!readMethods.includes(method)) return methodNotAllowed(reply, readMethods)
    reply
      .header('content-type', contentType)
      .header('cache-control', `public, max-age=${maxAge}`)
      // A client in a browser may come from another address.
      .header('access-control-allow-origin', '*')
      .headers(headers ?? {})
    const content = await body()
    if (content instanceof Encoded) return sendEncoded(reply, content)
    return Buffer.isBuffer(content) ? reply.send(content) : sendChunks(reply, content)
  }
  app.route({ method: routed, url: path, handler })
}

/** Sends the smallest form that the client accepts. */
function sendEncoded(reply: FastifyReply, { identity, codings }: Encoded) {
  reply.header('vary', 'accept-encoding')
  const accepted = reply.request.headers['accept-encoding']
  for (const coding of ['br', 'gzip'] as const) {
    const bytes = codings[coding]
    if (bytes && acceptsCoding(accepted, coding)) return reply.header('content-encoding', coding).send(bytes)
  }
  return reply.send(identity)
}
