import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { guard } from '../lib/guard.ts'
import { isObject } from '../lib/is-object.ts'
import { jsonIn } from '../lib/json.ts'
import { isPublicAddress } from '../lib/network/public-address.ts'
import { NameLookups } from './name-lookups.ts'

export type SafeRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For all of it: connecting, redirects, the body. */
  timeoutMs: number
  /** For the body of the response. */
  maxBytes: number
  /** Whether a longer body is cut there; otherwise it is an error. */
  cut?: true
  /** How many redirects are followed; by default none: then the redirect itself is returned. */
  redirects?: number
  signal?: AbortSignal
}

export type SafeAnswer = { status: number; headers: Headers; body: Buffer; url: URL }

/** Sends a request to a server on the internet. Throws a FetchError if there is no complete response. */
export type SafeFetch = (url: string | URL, request: SafeRequest) => Promise<SafeAnswer>

/** Why there is no response. `refused`: we never send requests there. The message is a sentence without a dot. */
export type FetchProblem = 'refused' | 'timeout' | 'too large' | 'certificate' | 'unreachable' | 'aborted'

export class FetchError extends Error {
  override name = 'FetchError'
  readonly problem: FetchProblem

  constructor(problem: FetchProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }
}

type SafeFetchOptions = {
  /** Returns whether an address may be reached; by default, only public ones may. */
  mayReach?: (address: string) => boolean
  /** Certificates that are trusted in place of the usual authorities. */
  trusted?: string
}

/**
 * Creates the function that sends requests to servers named by users. It checks the addresses of a name at the moment
 * of connecting, so neither a user's own DNS name nor a redirect leads into this server's network. Certificates are
 * checked, and the response has limits of time and size.
 */
export function safeFetch({ mayReach = isPublicAddress, trusted }: SafeFetchOptions = {}): SafeFetch {
  let agent: Promise<Agent> | undefined
  return async (url, request) => {
    agent ??= makeAgent(mayReach, trusted)
    const limit = AbortSignal.timeout(request.timeoutMs)
    const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit
    try {
      return await follow({ dispatcher: await agent, mayReach, signal }, new URL(url), request)
    } catch (error) {
      throw asFetchError(error, limit, request.signal)
    }
  }
}

type Way = { dispatcher: Dispatcher; mayReach: (address: string) => boolean; signal: AbortSignal }

async function makeAgent(mayReach: (address: string) => boolean, trusted: string | undefined) {
  const { Agent } = await import('undici')
  return new Agent({
    connect: { lookup: permittedLookup(mayReach), ...(trusted !== undefined && { ca: trusted }) },
    keepAliveTimeout: 1_000,
    maxHeaderSize: 16_384,
  })
}

async function follow(way: Way, start: URL, request: SafeRequest): Promise<SafeAnswer> {
  let [url, asked] = [start, request]
  for (let left = request.redirects ?? 0; ; left--) {
    const answer = await ask(way, url, asked, left > 0)
    const target = left > 0 ? redirectOf(answer) : undefined
    if (!target) return answer
    asked = redirectedRequest(asked, answer.status, url, target)
    url = target
  }
}

/** `follows`: whether a redirect is followed, so that its body is not needed. */
async function ask(way: Way, url: URL, asked: SafeRequest, follows: boolean): Promise<SafeAnswer> {
  const { dispatcher, mayReach, signal } = way
  checkUrl(url, mayReach)
  const { method = 'GET', headers = {}, body = null } = asked
  const { request } = await import('undici')
  const answer = await request(url, {
    dispatcher,
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    body,
    signal,
  })
  const head = { status: answer.statusCode, headers: headersOf(answer.headers), url }
  if (!follows || !redirectOf(head)) return { ...head, body: await bodyOf(answer.body, asked) }
  await answer.body.dump({ limit: 0 })
  return { ...head, body: Buffer.alloc(0) }
}

/** An address that stands in the URL itself is never looked up, so it is checked here. */
function checkUrl(url: URL, mayReach: (address: string) => boolean) {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new FetchError('refused', `${url.protocol} is no protocol of the web`)
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !mayReach(host)) throw refusedAddress(host)
}

/** All look-ups of the process share this, as they share Node's threads. */
const lookups = new NameLookups()

/** Returns a DNS lookup that finds only permitted addresses. */
function permittedLookup(mayReach: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 4)
    const choose = guard(fail, (found: LookupAddress[]) => {
      const [one] = found
      if (!one) return fail(new Error(`${hostname} has no address`))
      // One private address is enough to refuse: the owner of the name must not control which one is used.
      const hidden = found.find(({ address }) => !mayReach(address))
      if (hidden) return fail(refusedAddress(hostname))
      if (options.all) callback(null, found)
      else callback(null, one.address, one.family)
    })
    lookups.find(hostname, { ...options, all: true }).then(choose, fail)
  }
}

function refusedAddress(host: string) {
  return new FetchError('refused', `${host} is not on the public internet`)
}

/** Returns the fields of an answer in JSON; none if it is something else. */
export function jsonFieldsOf({ body }: SafeAnswer): Record<string, unknown> {
  const found = jsonIn(body.toString())
  return isObject(found) ? found : {}
}

async function bodyOf(
  body: AsyncIterable<Buffer> & { destroy(): void },
  { maxBytes, cut }: SafeRequest,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    pieces.push(piece)
    if (size <= maxBytes) continue
    body.destroy()
    if (cut) break
    throw new FetchError('too large', `the answer has more than ${maxBytes} bytes`)
  }
  return Buffer.concat(pieces).subarray(0, maxBytes)
}

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return headers
}

function redirectOf({ status, headers, url }: Omit<SafeAnswer, 'body'>): URL | undefined {
  const location = headers.get('location')
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined
  return URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
}

/**
 * Returns the request for the new location. Credentials stay with their origin, and nothing goes from https to http.
 */
function redirectedRequest(asked: SafeRequest, status: number, from: URL, to: URL): SafeRequest {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new FetchError('refused', 'a redirect leads from https to http')
  }
  const keepsBody = status === 307 || status === 308
  const dropped = [
    ...(keepsBody ? [] : ['content-type', 'content-length']),
    ...(from.origin === to.origin ? [] : ['authorization', 'cookie']),
  ]
  const kept = Object.entries(asked.headers ?? {}).filter(([name]) => !dropped.includes(name.toLowerCase()))
  const headers = Object.fromEntries(kept)
  if (keepsBody || asked.method === undefined || asked.method === 'GET') return { ...asked, headers }
  const { body: _, ...rest } = asked
  return { ...rest, method: asked.method === 'HEAD' ? 'HEAD' : 'GET', headers }
}

function asFetchError(error: unknown, limit: AbortSignal, asked: AbortSignal | undefined): FetchError {
  if (error instanceof FetchError) return error
  if (asked?.aborted) return new FetchError('aborted', 'it was called off', error)
  const { code = '', cause, message } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (limit.aborted || code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') {
    return new FetchError('timeout', 'there was no answer in time', error)
  }
  if (cause instanceof FetchError) return cause
  if (/CERT|SIGNATURE|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code)) {
    return new FetchError('certificate', `its certificate is not valid (${code})`, error)
  }
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException) : undefined
  return new FetchError('unreachable', `it cannot be reached (${code || inner?.code || message})`, error)
}
