import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../adapters/files/file-store.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { FileAnswer, FileInfo } from './answer-kinds.ts'

/**
 * Sends a file, or the requested range of it; the whole file if several ranges are requested. The content came from a user, so browsers
 * must not take it for another type than stated, nor run anything in it. Throws 404 if the store does not have it.
 */
export async function sendFile(reply: FastifyReply, { info, open }: FileAnswer) {
  const { request } = reply
  const whole = info.size ?? (await sizeOf(open))
  if (whole === undefined) throw notThere()
  describe(reply, info)
  if (isCached(request, info)) return reply.code(304).send()
  const range = rangeOf(request, info, whole)
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${whole}`).send('')
  const { start, end } = range ?? { start: 0, end: whole - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${whole}`)
  reply.header('content-length', end - start + 1)
  if (request.method === 'HEAD' || whole === 0) return reply.send('')
  const file = await open(range)
  if (!file) throw notThere()
  return reply.send(file.content)
}

function notThere() {
  return new ApiError('File not found', 'NOT_FOUND', 404)
}

async function sizeOf(open: FileAnswer['open']) {
  const file = await open({ start: 0, end: 0 })
  file?.content.destroy()
  return file?.size
}

function describe(reply: FastifyReply, info: FileInfo) {
  reply
    .code(200)
    .header('content-type', info.contentType)
    .header('content-disposition', dispositionOf(info))
    .header('cache-control', info.cacheControl ?? 'private, no-cache')
    .header('accept-ranges', 'bytes')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; style-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')
  if (info.etag) reply.header('etag', `"${info.etag}"`)
}

/** Returns the name in ASCII for old programs, and as it is for all others (RFC 6266). */
function dispositionOf({ disposition }: FileInfo) {
  if (disposition === 'inline') return 'inline'
  const plain = disposition.saveAs.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const coded = encodeURIComponent(disposition.saveAs.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`
}

function isCached({ headers }: FastifyRequest, { etag }: FileInfo) {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return etag !== undefined && known !== undefined && (known.includes(`"${etag}"`) || known.includes('*'))
}

/** Returns the requested range; undefined for the whole file, and 'none' if the range is empty. */
function rangeOf(
  { headers }: FastifyRequest,
  { etag }: FileInfo,
  size: number,
): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.replaceAll(' ', '') ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const condition = headers['if-range']
  if (condition !== undefined && condition !== `"${etag}"`) return undefined
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'none'
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) return 'none'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
