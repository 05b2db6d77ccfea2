import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { memoizePer } from '../../lib/collections/memoize-per.ts'
import { bytesOf, type Chunk, gzipChunks, isOwn, sizeOfChunks } from '../../lib/gzip/gzip-chunks.ts'
import { httpLimits } from '../limits.ts'
import { largeFrom, UnreadAnswers } from '../overload/unread-answers.ts'

const unreadOf = memoizePer<FastifyInstance, UnreadAnswers>(() => new UnreadAnswers(httpLimits.unreadBytes))

/**
 * Sends a text, compressed if that is worthwhile and the client accepts it. The caller has set the status and the content type.
 */
export function sendChunks(reply: FastifyReply, chunks: Chunk[]): FastifyReply | Promise<FastifyReply> {
  if (sizeOfChunks(chunks) < httpLimits.compressFrom) return sendPlain(reply, chunks)
  reply.header('vary', 'accept-encoding')
  if (!acceptsCoding(reply.request.headers['accept-encoding'], 'gzip')) return sendPlain(reply, chunks)
  return gzipChunks(chunks).then((packed) => {
    return sendBuffers(reply.header('content-encoding', 'gzip'), packed, ownBytes(chunks))
  })
}

function sendPlain(reply: FastifyReply, chunks: Chunk[]) {
  const own = ownBytes(chunks)
  // For a large text, Node would keep both the text and its bytes until they are read.
  const isShort = own < largeFrom && chunks.every((chunk) => typeof chunk === 'string')
  return isShort ? sendText(reply, chunks.join('')) : sendBuffers(reply, bytesOf(chunks), own)
}

/** Writes a text together with the head. */
function sendText(reply: FastifyReply, text: string): FastifyReply {
  if (beginBody(reply, { 'content-length': Buffer.byteLength(text) })) reply.raw.end(text)
  return reply
}

/**
 * Writes shared chunks without copying them. A copy for each response takes memory outside the heap, which makes Node
 * collect garbage in all of the heap again and again. `own`: an upper bound of the bytes that are not shared.
 */
function sendBuffers(reply: FastifyReply, buffers: Buffer[], own: number): FastifyReply {
  const { raw } = reply
  const size = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
  if (!beginBody(reply, { 'content-length': size })) return reply
  unreadOf(reply.server).add(raw, Math.min(own, size))
  raw.cork()
  for (const buffer of buffers) raw.write(buffer)
  raw.end()
  return reply
}

/** Sends the head of a response. Returns false if the client has disconnected, or has another response, as from a server that is closing. */
export function beginBody(reply: FastifyReply, headers: OutgoingHttpHeaders = {}): boolean {
  const { raw } = reply
  reply.hijack()
  if (raw.headersSent || raw.destroyed) return false
  raw.writeHead(reply.statusCode, Object.assign(reply.getHeaders() as OutgoingHttpHeaders, headers))
  return true
}

/** Returns roughly how many bytes belong to this response alone, and not to shared chunks. */
function ownBytes(chunks: Chunk[]) {
  return sizeOfChunks(chunks.filter(isOwn))
}

/** Whether an Accept-Encoding header accepts a content coding. */
export function acceptsCoding(header: string | string[] | undefined, wanted: 'gzip' | 'br'): boolean {
  const codings = String(header ?? '')
    .toLowerCase()
    .split(',')
  return codings.some((coding) => {
    const [name, weight] = coding.split(';').map((part) => part.trim())
    return name === wanted && !/^q=0(\.0*)?$/.test(weight ?? '')
  })
}
