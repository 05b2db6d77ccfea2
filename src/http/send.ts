import type { FastifyReply } from 'fastify'
import { gzipPieces, joinPieces, type Piece, sizeOfPieces } from '../lib/gzip-parts.ts'
import { limits } from '../lib/limits.ts'

/** Sends a text, compressed if it is worth that and the client takes it. The content type and status are set before. */
export function sendPieces(reply: FastifyReply, pieces: Piece[]): FastifyReply | Promise<FastifyReply> {
  if (sizeOfPieces(pieces) < limits.compressFrom) return reply.send(joined(pieces))
  reply.header('vary', 'accept-encoding')
  if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(joined(pieces))
  return gzipPieces(pieces).then((packed) => reply.header('content-encoding', 'gzip').send(packed))
}

function joined(pieces: Piece[]) {
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : joinPieces(pieces)
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
