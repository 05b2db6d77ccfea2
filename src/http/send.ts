import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { bytesOf, type Chunk, gzipPieces, sizeOfPieces } from '../lib/gzip-parts.ts'
import { limits } from '../lib/limits.ts'
import { memoizePer } from '../lib/memoize-per.ts'
import { largeFrom, UnreadAnswers } from './unread-answers.ts'

const unreadOf = memoizePer<FastifyInstance, UnreadAnswers>(() => new UnreadAnswers(limits.unreadBytes))

/** Sends a text, compressed if it is worth that and the client takes it. The content type and status are set before. */
export function sendPieces(reply: FastifyReply, pieces: Chunk[]): FastifyReply | Promise<FastifyReply> {
  if (sizeOfPieces(pieces) < limits.compressFrom) return sendPlain(reply, pieces)
  reply.header('vary', 'accept-encoding')
  if (!takesGzip(reply.request.headers['accept-encoding'])) return sendPlain(reply, pieces)
  return gzipPieces(pieces).then((packed) => {
    return sendBuffers(reply.header('content-encoding', 'gzip'), packed, ownBytes(pieces))
  })
}

function sendPlain(reply: FastifyReply, pieces: Chunk[]) {
  const own = ownBytes(pieces)
  // Of a large text, Node would keep itself and its bytes until they are read.
  const isShort = own < largeFrom && pieces.every((piece) => typeof piece === 'string')
  return isShort ? reply.send(pieces.join('')) : sendBuffers(reply, bytesOf(pieces), own)
}

/**
 * Writes what many answers share as it is. To copy it for each of them takes memory outside of the heap, and that makes
 * Node collect garbage in all of the heap, again and again. `own`: at most so many bytes are not shared.
 */
function sendBuffers(reply: FastifyReply, buffers: Buffer[], own: number): FastifyReply {
  const { raw } = reply
  const size = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
  raw.writeHead(reply.statusCode, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': size })
  reply.hijack()
  unreadOf(reply.server).add(raw, Math.min(own, size))
  raw.cork()
  for (const buffer of buffers) raw.write(buffer)
  raw.end()
  return reply
}

/** How much of an answer is its own, as Parts belong to many: roughly, in bytes. */
function ownBytes(pieces: Chunk[]) {
  return sizeOfPieces(pieces.filter((piece) => typeof piece === 'string'))
}

/** Whether a header Accept-Encoding names gzip, other than to refuse it. */
function takesGzip(header: string | string[] | undefined): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',')
  return codings.some((coding) => {
    const [name, weight] = coding.split(';').map((part) => part.trim())
    return name === 'gzip' && !/^q=0(\.0*)?$/.test(weight ?? '')
  })
}
