import type { IncomingMessage } from 'node:http'
import { ApiError, badRequest } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'

/** The methods that the router knows, on every path. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const known = new Set<string>(methods)
const strange = new WeakSet<IncomingMessage>()

/**
 * Routes a request with a method that no operation has (QUERY, TRACE) like OPTIONS, which finds the methods of its
 * path: the response is 405 with these.
 */
export function takeStrangeMethod(request: IncomingMessage) {
  if (known.has(request.method ?? '')) return
  strange.add(request)
  request.method = 'OPTIONS'
}

/** Where proxies let no other methods through, clients send them as POST, with the method meant in this header. */
export function takeOverride(request: IncomingMessage) {
  if (request.method !== 'POST') return
  const meant = request.headers['x-http-method-override']?.toString().toUpperCase()
  if (meant === 'PATCH' || meant === 'DELETE') request.method = meant
}

/** Whether a request came with a method that no operation has. */
export function isStrange(request: IncomingMessage): boolean {
  return strange.has(request)
}

/**
 * Throws for a head that this server and a proxy before it could read differently: 400 for a second Host (RFC 9112,
 * 3.2), which Node drops, and 431 for more headers than Node reads.
 */
export function checkHead({ rawHeaders }: IncomingMessage) {
  if (rawHeaders.length > 2 * limits.headersPerRequest) throw tooManyHeaders()
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw badRequest('There is more than one Host header')
}

function tooManyHeaders() {
  return new ApiError('There are too many headers', 'BAD_REQUEST', 431)
}
