import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Chunk } from '../lib/gzip-parts.ts'
import { methodNotAllowed } from './answer.ts'
import { methods } from './head.ts'
import { sendPieces } from './send.ts'

const allowed = ['GET', 'HEAD']

/** A document that is the same for all callers and is not part of the API: served without login, and cached. */
export type Document = {
  path: string
  contentType: string
  /** How long it may be cached, in seconds. */
  maxAge: number
  /** A text, or the bytes of something else. */
  body(): Promise<Chunk[] | Buffer>
}

/** Lets the server answer GET at the document's path, without login. */
export function serveDocument(app: FastifyInstance, { path, contentType, maxAge, body }: Document) {
  const handler = async ({ method }: FastifyRequest, reply: FastifyReply) => {
    if (!allowed.includes(method)) return methodNotAllowed(reply, allowed)
    reply
      .header('content-type', contentType)
      .header('cache-control', `public, max-age=${maxAge}`)
      // A client in a browser may come from another address.
      .header('access-control-allow-origin', '*')
    const content = await body()
    return Buffer.isBuffer(content) ? reply.send(content) : sendPieces(reply, content)
  }
  app.route({ method: [...methods], url: path, handler })
}
