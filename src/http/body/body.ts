import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import { byteChunks } from '../../lib/byte-chunks.ts'
import { guard } from '../../lib/guard.ts'
import { firstIn } from '../../lib/must.ts'
import { httpLimits } from '../limits.ts'
import { parseForm } from './form.ts'
import { readMultipart } from './multipart.ts'

/** Fields by name; of a name sent twice, the last one counts. */
export type FormFields = Map<string, string>

/**
 * Returns the bytes of a body, and its fields if it is form-encoded or multipart. Other types hold no parameters for this API, so they are
 * not parsed. `body`: the request, whose body may still be arriving. Throws 413 for more bytes than `max`.
 */
export async function readBody(
  body: IncomingMessage | undefined,
  max: number = httpLimits.requestBody,
): Promise<{ content: Buffer; fields: FormFields }> {
  const content = body ? await collect(body, max) : noContent
  return { content, fields: body && content.length > 0 ? await fieldsIn(body, content) : new Map() }
}

/** The content of a request without a body, or whose body was streamed elsewhere. */
export const noContent = Buffer.alloc(0)

async function fieldsIn(body: IncomingMessage, content: Buffer): Promise<FormFields> {
  if (isUrlEncoded(body)) return parseForm(content)
  if (isMultipart(body)) return parseMultipart(content, body.headers['content-type'] ?? '')
  return new Map()
}

/** Whether the body holds parameters. */
export function isForm(request: { headers: IncomingHttpHeaders }): boolean {
  return isUrlEncoded(request) || isMultipart(request)
}

function isUrlEncoded({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return /^application\/x-www-form-urlencoded *(;|$)/i.test(headers['content-type'] ?? '')
}

export function isMultipart({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return /^multipart\/form-data *(;|$)/i.test(headers['content-type'] ?? '')
}

/** Whether the body is a part of a file, which an operation reads as a stream. */
export function isFilePart({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['content-type']?.toLowerCase() === filePart
}

/** The media type of a part of a file in the tus protocol. */
export const filePart = 'application/offset+octet-stream'

/**
 * Reads the whole body. The rest of a body that is too large is discarded. A body that takes too long ends its connection.
 */
async function collect(request: IncomingMessage, max: number): Promise<Buffer> {
  checkContentLength(request, max)
  // Normally, a small body has arrived together with its head.
  const isThere = request.headers['content-length'] === String(request.readableLength)
  if (!isThere || request.destroyed) return stillToCome(request, max)
  const content: Buffer = request.read() ?? noContent
  // The stream must still end, so that it does not stay with its connection.
  request.resume()
  return content
}

function stillToCome(request: IncomingMessage, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) reject(cutOff())
    const pieces: Buffer[] = []
    let size = 0
    const fail = (error: Error) => {
      stop()
      reject(error)
    }
    const tooSlow = guard(fail, () => request.destroy())
    const timer = setTimeout(tooSlow, httpLimits.requestSeconds * 1000)
    const take = guard(fail, (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > max) throw tooLarge()
    })
    const whole = guard(fail, () => {
      stop()
      resolve(pieces.length === 1 ? firstIn(pieces) : Buffer.concat(pieces))
    })
    const broken = guard(fail, () => fail(cutOff()))
    function stop() {
      clearTimeout(timer)
      request.off('data', take).off('end', whole).off('close', broken)
    }
    request.on('data', take).on('end', whole).on('close', broken).on('error', broken)
  })
}

/** Returns the stream of a request's body; undefined if there is none. A body of GET or HEAD does not count. */
export function bodyIn({ method, headers, raw }: FastifyRequest): IncomingMessage | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined
  const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': coding } = headers
  return type === undefined && length === '0' && coding === undefined ? undefined : raw
}

/** Throws 413 if no operation takes a body of the declared length. */
export function checkStatedLength(request: FastifyRequest) {
  if (bodyIn(request) && !isMultipart(request) && !isFilePart(request)) checkContentLength(request)
}

/** Throws 413 if the declared length is too large for an operation that takes no files. */
function checkContentLength(
  { headers }: { headers: IncomingHttpHeaders },
  max: number = httpLimits.requestBody,
) {
  if (Number(headers['content-length'] ?? 0) > max) throw tooLarge()
}

function tooLarge() {
  return new ApiError('Request body is too large', 'BAD_REQUEST', 413)
}

/** The error when the client disconnects before the body is complete. It reaches no client. */
export function cutOff() {
  return badRequest('The request was cut off')
}

async function parseMultipart(body: Buffer, contentType: string): Promise<FormFields> {
  const fields: FormFields = new Map()
  // The parser gets chunks, so that it stops early in a body that is refused. Files are skipped.
  const source = Readable.from(byteChunks(body))
  const { finished } = readMultipart(
    source,
    contentType,
    { fieldSize: httpLimits.formBody, files: 0 },
    {
      field: (name, value) => fields.set(name, value),
      refused: () => source.destroy(),
    },
  )
  await finished
  return fields
}
