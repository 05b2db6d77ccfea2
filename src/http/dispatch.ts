import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/api-error.ts'
import { networkOf } from '../lib/network/network-of.ts'
import { type Site, subdomainOf } from '../lib/site.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import { allowAnonymous, optionalUser } from './access.ts'
import { bodyIn, isFilePart, isMultipart, readBody } from './body/body.ts'
import { largestBody, statedLength } from './body/body-length.ts'
import { receiveFiles } from './body/files.ts'
import { type Admitted, admit } from './callers/admit.ts'
import type { Caller } from './callers/authenticate.ts'
import { callerByQuery, callerOf, hasValidCredentials } from './callers/caller.ts'
import { lookPayer, semaphoreCaller } from './callers/caller-keys.ts'
import { hasSessionCookie } from './callers/session.ts'
import { hasUnknownMethod } from './connection/head.ts'
import type { Endpoint } from './endpoint.ts'
import { type Methods, methodOf, refuseMethod } from './methods.ts'
import type { Exchange, NodeServices } from './node-services.ts'
import { fileLimit, streamedType } from './params.ts'
import { runOperation } from './run-operation.ts'

/**
 * Handles every request: organization by host name, method, body, login, rate limit, access, and then the operation
 * itself (run-operation.ts).
 */
export async function dispatch(
  services: NodeServices,
  methods: Methods,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const log = await realmOf(services, request)
  if (hasUnknownMethod(request.raw)) return refuseMethod(methods, request, reply)
  for (const { headers } of methods.values()) if (headers) reply.headers(headers)
  const exchange = { services, log, request, reply }
  const body = bodyIn(request)
  const endpoint = methods.get(request.method)
  if (body && endpoint) {
    if (isFilePart(request) && streamedType(endpoint.params) !== undefined) {
      return runWithStream(exchange, endpoint, body)
    }
    const max = isMultipart(request) ? fileLimit(endpoint.params) : undefined
    if (max !== undefined) return runWithFiles(exchange, endpoint, body, max)
  }
  return runWithForm(exchange, methods, body)
}

async function realmOf({ realms, site }: NodeServices, request: FastifyRequest): Promise<RealmLog> {
  const log = await realms.bySubdomain(subdomainOf(site, request.headers.host))
  if (!log) throw new ApiError('Invalid subdomain', 'NONEXISTENT_SUBDOMAIN', 404)
  return log
}

/** Runs an operation that reads the body as a stream. */
async function runWithStream(exchange: Exchange, endpoint: Endpoint, body: IncomingMessage) {
  const admitted = await authorize(exchange, endpoint)
  // The operation may leave a part of the body unread.
  return runOperation(exchange, admitted, { form: new Map(), stream: body }).finally(() => body.resume())
}

/** Receives the files of a multipart body, and runs the operation. Files that it does not keep are discarded. */
async function runWithFiles(exchange: Exchange, endpoint: Endpoint, body: IncomingMessage, max: number) {
  const { services, log, request } = exchange
  // Only permitted callers may upload files, so access is checked before they are read.
  const admitted = await authorize(exchange, endpoint)
  services.admission.check(undefined, semaphoreCaller(log, admitted.caller, request))
  const { fields: form, files, discard } = await receiveFiles(body, services.adapters.files, max)
  return runOperation(exchange, admitted, { form, files }).finally(discard)
}

/** Reads the whole body, and runs the operation. A field of a form may name another method than the request. */
async function runWithForm(exchange: Exchange, methods: Methods, body: IncomingMessage | undefined) {
  const { services, log, request, reply } = exchange
  // The limit depends on the caller, who is looked up only if there is a body.
  const most = body ? await largestBody(services, log, request) : 0
  const leave = body && services.bodyBudget.take(Math.min(most, statedLength(request)), request.ip)
  try {
    const { content, fields: form } = await readBody(body, most)
    const endpoint = methods.get(methodOf(methods, request, form))
    if (!endpoint) return refuseMethod(methods, request, reply)
    const admitted = await authorize(exchange, endpoint)
    return await runOperation(exchange, admitted, { form, content })
  } finally {
    leave?.()
  }
}

/** Identifies the caller, counts the request, and throws if the caller may not call the operation. */
async function authorize(exchange: Exchange, endpoint: Endpoint): Promise<Admitted> {
  const { services, log, request } = exchange
  const { lastUsed, site, secondLooks } = services
  request.operation = endpoint
  const caller = await authenticateAndRateLimit(exchange, endpoint)
  if (caller) lastUsed.note(log, caller, site.clock())
  return secondLooks.run(log, lookPayer(caller, request), () => admit(endpoint, log.state, site, caller))
}

/** Returns the caller, or null. Requests with invalid credentials count against the anonymous rate limit. */
async function authenticateAndRateLimit(
  { services, log, request, reply }: Exchange,
  endpoint: Endpoint,
): Promise<Caller | null> {
  const { rateLimits, site, secondLooks, logins, refusedKeys } = services
  let caller: Caller | null = null
  try {
    const look = () => callerFor(endpoint, log.state, site, request)
    const who = networkOf(request.ip)
    const since = log.readUpTo
    caller = await secondLooks.run(log, who, look)
    // Another node may have begun the session of an unknown cookie a moment ago.
    const mayBeNew =
      !caller && endpoint.access !== allowAnonymous && hasSessionCookie(site, request.headers.cookie)
    if (mayBeNew && (await secondLooks.hasNews(log, who, since))) caller = look()
    return caller
  } catch (error) {
    if (isUnauthorized(error)) {
      logins.refuse(log.state, request, { method: 'API key', error })
      refusedKeys.note(log, endpoint, request)
    }
    throw error
  } finally {
    if (!endpoint.unlimited) rateLimits.check(caller, request.ip, reply)
  }
}

/** Whether credentials were sent that are not valid. */
function isUnauthorized(error: unknown) {
  return error instanceof ApiError && error.status === 401
}

function callerFor(
  endpoint: Endpoint,
  state: RealmState,
  site: Site,
  request: FastifyRequest,
): Caller | null {
  if (endpoint.keyInQuery) return callerByQuery(state, request.url)
  if (endpoint.access === allowAnonymous) return null
  if (endpoint.access === optionalUser && !hasValidCredentials(state, site, request)) return null
  return callerOf(state, site, request)
}
