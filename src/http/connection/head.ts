import type { IncomingMessage } from 'node:http'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import { httpLimits } from '../limits.ts'

/** The methods that an operation or a document may have. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The methods of pages, documents and other things that can only be read. */
export const readMethods: readonly string[] = ['GET', 'HEAD']

const known = new Set<string>(methods)
const withUnknownMethod = new WeakSet<IncomingMessage>()
const hidden = Symbol('the method of a request while it is routed')
type Routed = IncomingMessage & { [hidden]?: string | undefined }

/** The only method that the router knows. */
export const routed = 'GET'

/**
 * Hides the method of a request, so that it is routed by its path alone; the handler checks the method. To give the router all methods of
 * all paths would take most of the time of a start.
 */
export function hideMethod(request: Routed) {
  request[hidden] = request.method
  request.method = routed
}

/** Restores the method that hideMethod has hidden. */
export function restoreMethod(request: Routed) {
  request.method = request[hidden] ?? request.method
}

/**
 * Changes a method that no operation has, such as QUERY or TRACE, into OPTIONS, and notes that: the response is then 405 with the methods
 * of the path.
 */
export function treatUnknownMethodAsOptions(request: IncomingMessage) {
  if (known.has(request.method ?? '')) return
  withUnknownMethod.add(request)
  request.method = 'OPTIONS'
}

/**
 * Gives a POST the method that its header X-HTTP-Method-Override names: clients send this behind proxies that let only some methods
 * through.
 */
export function applyMethodOverride(request: IncomingMessage) {
  if (request.method !== 'POST') return
  const meant = request.headers['x-http-method-override']?.toString().toUpperCase()
  if (meant === 'PATCH' || meant === 'DELETE') request.method = meant
}

/** Returns the part of a URL in front of its query. */
export function pathOf(url: string): string {
  const start = url.indexOf('?')
  return start < 0 ? url : url.slice(0, start)
}

/** Returns the query of a URL, without the question mark; undefined if it has none. */
export function queryOf(url: string): string | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : url.slice(start + 1)
}

/** Whether a request came with a method that no operation has. */
export function hasUnknownMethod(request: IncomingMessage): boolean {
  return withUnknownMethod.has(request)
}

/**
 * Throws if this server and a proxy might read the head differently: 400 for a second Host header (RFC 9112, 3.2), which Node drops, and
 * 431 for more headers than Node reads.
 */
export function checkHead({ rawHeaders }: IncomingMessage) {
  if (rawHeaders.length > 2 * httpLimits.headersPerRequest) throw tooManyHeaders()
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) throw badRequest('There is more than one Host header')
}

function tooManyHeaders() {
  return new ApiError('There are too many headers', 'BAD_REQUEST', 431)
}
