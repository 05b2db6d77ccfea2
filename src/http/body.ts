import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Busboy } from '@fastify/busboy'
import { ApiError, badRequest } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'

/** Fields by name; of a name sent twice, the last one counts. */
export type Fields = Map<string, string>

/**
 * A body as it came, and the fields in it: form-encoded or multipart, on any method. Anything else holds no parameters
 * for this API, so it is not looked at. `body`: the request, as long as its body is still to come.
 */
export async function readBody(
  body: IncomingMessage | undefined,
): Promise<{ content: Buffer; fields: Fields }> {
  const content = body ? await collect(body) : noContent
  return { content, fields: body && content.length > 0 ? await fieldsIn(body, content) : new Map() }
}

/** Nothing was sent, or it went elsewhere. */
export const noContent = Buffer.alloc(0)

async function fieldsIn(body: IncomingMessage, content: Buffer): Promise<Fields> {
  const type = body.headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) return parseForm(content.toString())
  if (isMultipart(body)) return parseMultipart(content, type)
  return new Map()
}

export function isMultipart({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['content-type']?.startsWith('multipart/form-data') ?? false
}

/** The whole body. Of one that is too large, the rest is let pass by; one that takes too long ends its connection. */
function collect(request: IncomingMessage): Promise<Buffer> {
  checkLength(request)
  return new Promise((resolve, reject) => {
    if (request.destroyed) reject(cutOff())
    const pieces: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => request.destroy(), limits.requestSeconds * 1000)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      request.off('data', take)
      settle()
    }
    const take = (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > limits.requestBody) end(() => reject(tooLarge()))
    }
    request.on('data', take)
    request.once('end', () => end(() => resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))))
    request.once('close', () => end(() => reject(cutOff())))
    request.once('error', () => end(() => reject(cutOff())))
  })
}

/** Throws 413 if a request says that its body is too large for whatever takes no files. */
export function checkLength({ headers }: { headers: IncomingHttpHeaders }) {
  if (Number(headers['content-length'] ?? 0) > limits.requestBody) throw tooLarge()
}

function tooLarge() {
  return new ApiError('Request body is too large', 'BAD_REQUEST', 413)
}

/** The client went before it had said everything; nobody hears this. */
export function cutOff() {
  return badRequest('The request was cut off')
}

export function parseForm(text: string): Fields {
  const fields: Fields = new Map()
  for (const [name, value] of new URLSearchParams(text)) {
    fields.set(name, value)
    if (fields.size > limits.parametersPerRequest) throw badRequest('Too many parameters')
  }
  return fields
}

function parseMultipart(body: Buffer, contentType: string): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const fields: Fields = new Map()
    const malformed = () => reject(badRequest('Malformed multipart body'))
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { fields: limits.parametersPerRequest, fieldSize: limits.requestBody },
      })
      parser.on('field', (name: string, value: string) => fields.set(name, value))
      parser.on('file', (_name, file) => file.resume())
      parser.on('finish', () => resolve(fields))
      parser.on('error', malformed)
      parser.end(body)
    } catch {
      malformed()
    }
  })
}
