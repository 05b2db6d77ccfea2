import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError, badRequest } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import { slicesOf } from '../lib/slices.ts'

/** Fields by name; of a name sent twice, the last one counts. */
export type Fields = Map<string, string>

/**
 * A body as it came, and the fields in it: form-encoded or multipart, on any method. Anything else holds no parameters
 * for this API, so it is not looked at. `body`: the request, as long as its body is still to come. 413 for more bytes
 * than `max`.
 */
export async function readBody(
  body: IncomingMessage | undefined,
  max: number = limits.requestBody,
): Promise<{ content: Buffer; fields: Fields }> {
  const content = body ? await collect(body, max) : noContent
  return { content, fields: body && content.length > 0 ? await fieldsIn(body, content) : new Map() }
}

/** Nothing was sent, or it went elsewhere. */
export const noContent = Buffer.alloc(0)

async function fieldsIn(body: IncomingMessage, content: Buffer): Promise<Fields> {
  if (isUrlEncoded(body)) return parseForm(content.toString())
  if (isMultipart(body)) return parseMultipart(content, body.headers['content-type']!)
  return new Map()
}

/** Whether there are parameters in a body. */
export function isForm(request: { headers: IncomingHttpHeaders }): boolean {
  return isUrlEncoded(request) || isMultipart(request)
}

function isUrlEncoded({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
}

export function isMultipart({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers['content-type']?.startsWith('multipart/form-data') ?? false
}

/** The whole body. Of one that is too large, the rest is let pass by; one that takes too long ends its connection. */
async function collect(request: IncomingMessage, max: number): Promise<Buffer> {
  checkLength(request, max)
  // As a rule, a small one has come together with its head.
  const isThere = request.headers['content-length'] === String(request.readableLength)
  if (!isThere || request.destroyed) return stillToCome(request, max)
  const content: Buffer = request.read() ?? noContent
  // It has yet to end, so that it does not stay with its connection.
  request.resume()
  return content
}

function stillToCome(request: IncomingMessage, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) reject(cutOff())
    const pieces: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => request.destroy(), limits.requestSeconds * 1000)
    const stop = () => {
      clearTimeout(timer)
      request.off('data', take).off('end', whole).off('close', broken)
    }
    const take = (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size <= max) return
      stop()
      reject(tooLarge())
    }
    const whole = () => {
      stop()
      resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
    }
    const broken = () => {
      stop()
      reject(cutOff())
    }
    request.on('data', take).on('end', whole).on('close', broken).on('error', broken)
  })
}

/** Throws 413 if a request says that its body is too large for whatever takes no files. */
export function checkLength({ headers }: { headers: IncomingHttpHeaders }, max: number = limits.requestBody) {
  if (Number(headers['content-length'] ?? 0) > max) throw tooLarge()
}

function tooLarge() {
  return new ApiError('Request body is too large', 'BAD_REQUEST', 413)
}

/** The client went before it had said everything; nobody hears this. */
export function cutOff() {
  return badRequest('The request was cut off')
}

export function parseForm(text: string): Fields {
  // Looked at before anything is made of it: a large body may hold millions.
  if (text.split('&', limits.parametersPerRequest + 1).length > limits.parametersPerRequest) throw tooMany()
  return new Map(new URLSearchParams(text))
}

function parseMultipart(body: Buffer, contentType: string): Promise<Fields> {
  return new Promise((resolve, reject) => {
    const fields: Fields = new Map()
    // So that little is read in vain of what is refused.
    const source = Readable.from(slicesOf(body))
    const refuse = (error: Error) => {
      source.unpipe(parser).destroy()
      reject(error)
    }
    // Files are passed over. As a stream, one that breaks off would be an error, and here nobody would hear it.
    const parser = multipartParser(contentType, { fieldSize: limits.formBody, files: 0 }, refuse)
    parser.on('field', (name: string, value: string) => fields.set(name, value))
    parser.on('finish', () => resolve(fields))
    source.pipe(parser)
  })
}

/**
 * A parser of multipart bodies. `refuse` is called for one that cannot be read, or that has more parts than any request
 * needs; the caller then feeds it no more of it. Throws 400 for a content type that says too little.
 */
export function multipartParser(
  contentType: string,
  sizes: { fieldSize: number; fileSize?: number; files?: number },
  refuse: (error: Error) => void,
): BusboyInstance {
  const most = { parts: limits.parametersPerRequest, fields: limits.parametersPerRequest }
  const parser = newParser(contentType, { ...sizes, ...most })
  parser.on('partsLimit', () => refuse(tooMany()))
  parser.on('error', () => refuse(malformed()))
  return parser
}

function newParser(contentType: string, sizes: object): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: sizes })
  } catch {
    throw malformed()
  }
}

function malformed() {
  return badRequest('Malformed multipart body')
}

function tooMany() {
  return badRequest('Too many parameters')
}
