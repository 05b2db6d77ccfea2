import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { whenFree } from '../db/fair-reader.ts'
import { ApiError } from '../lib/api-error.ts'
import type { SemaphoreCaller } from '../lib/fair-semaphore.ts'
import { networkOf } from '../lib/network-of.ts'
import { type Site, subdomainOf } from '../lib/site.ts'
import { traced } from '../lib/tracer.ts'
import { readFromReplica } from '../log/read-from-replica.ts'
import type { Commit, RealmLog } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import { allowAnonymous, knownOrNot } from './access.ts'
import { admit, admitAgain, checkStillAdmitted, type Admitted } from './admit.ts'
import { answer } from './answer.ts'
import type { AppContext } from './app-context.ts'
import type { Caller } from './authenticate.ts'
import { bodyIn, type FormFields, isFilePart, isForm, isMultipart, noContent, readBody } from './body.ts'
import { largestBody, statedLength } from './body-length.ts'
import { callerByQuery, callerOf, isKnown } from './caller.ts'
import type { CommandContext, Endpoint, RequestInfo } from './endpoint.ts'
import { type ReceivedFile, receiveFiles } from './files.ts'
import { isStrange } from './head.ts'
import { handleOnce, type IdempotentRequest, keyOfHeader } from './idempotency.ts'
import { type Methods, methodOf, refuseMethod } from './methods.ts'
import { fileLimit, type Params, streamedType, type Values } from './params.ts'
import { accountOf } from './rate-limits.ts'
import { actorOf, requestInfo } from './request-info.ts'
import { checkCompanions, fieldsOf, readParams, unknownNames } from './request-params.ts'
import { hasSessionCookie } from './session.ts'

/**
 * Handles every request: organization by host name, method, body, login, rate limit, access, parameters, handler,
 * response.
 */
export async function dispatch(
  services: AppContext,
  methods: Methods,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const log = await realmOf(services, request)
  if (isStrange(request.raw)) return refuseMethod(methods, request, reply)
  for (const { headers } of methods.values()) if (headers) reply.headers(headers)
  const body = bodyIn(request)
  const streaming = body && isFilePart(request) ? methods.get(request.method) : undefined
  if (body && streaming && streamedType(streaming.params) !== undefined) {
    const admitted = await authorize(services, log, streaming, request, reply)
    const perform = buildHandler(services, log, admitted, request, reply)
    // The operation may have left a part of the body unread.
    return perform(new Map(), [], body).finally(() => body.resume())
  }
  const receiver = body && isMultipart(request) ? methods.get(request.method) : undefined
  const max = receiver && fileLimit(receiver.params)
  if (body && receiver && max !== undefined) {
    // Only permitted callers may upload files, so access is checked before they are read.
    const admitted = await authorize(services, log, receiver, request, reply)
    services.admission.check(undefined, semaphoreCaller(log, admitted.caller, request))
    const received = await receiveFiles(body, services.adapters.files, max)
    const perform = buildHandler(services, log, admitted, request, reply)
    return perform(received.fields, received.files).finally(received.discard)
  }
  // The limit depends on the caller, who is looked up only if there is a body.
  const most = body ? await largestBody(services, log, request) : 0
  const leave = body && services.bodyBudget.take(Math.min(most, statedLength(request)), request.ip)
  try {
    const { content, fields: form } = await readBody(body, most)
    const endpoint = methods.get(methodOf(methods, request, form))
    if (!endpoint) return refuseMethod(methods, request, reply)
    const admitted = await authorize(services, log, endpoint, request, reply)
    return await buildHandler(services, log, admitted, request, reply, content)(form, [])
  } finally {
    leave?.()
  }
}

/** Throws if the caller may not call. */
async function authorize(
  services: AppContext,
  log: RealmLog,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admitted> {
  const { lastUsed, site, secondLooks } = services
  request.operation = endpoint
  const caller = await authenticateAndRateLimit(services, endpoint, request, reply, log)
  if (caller) lastUsed.note(log, caller, site.clock())
  const admitted = () => admit(endpoint, log.state, site, caller)
  return secondLooks.run(log, lookPayer(caller, request), admitted)
}

/** The caller that second looks are charged to. */
function lookPayer(caller: Caller | null, { ip }: { ip: string }): string {
  return caller ? accountOf(caller) : networkOf(ip)
}

/** Returns the caller, or null. Requests with invalid credentials count against the anonymous rate limit. */
async function authenticateAndRateLimit(
  { rateLimits, site, secondLooks, logins, refusedKeys }: AppContext,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  log: RealmLog,
): Promise<Caller | null> {
  let caller: Caller | null = null
  try {
    const look = () => callerFor(endpoint, log.state, site, request)
    const who = networkOf(request.ip)
    const since = log.moment
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
  if (endpoint.access === knownOrNot && !isKnown(state, site, request)) return null
  return callerOf(state, site, request)
}

function buildHandler(
  services: AppContext,
  log: RealmLog,
  admitted: Admitted,
  request: FastifyRequest,
  reply: FastifyReply,
  content: Buffer = noContent,
) {
  const { endpoint, caller } = admitted
  return async (form: FormFields, files: ReceivedFile[], stream?: Readable) => {
    const sent = fieldsOf(request, form)
    const info = requestInfo(log, request, reply, sent, caller, content, services.logins)
    const rank = typeof endpoint.rank === 'function' ? endpoint.rank(sent) : endpoint.rank
    info.rest = await services.admission.enter(rank, semaphoreCaller(log, caller, info), info.gone)
    // A file arrives as slowly as its client sends it.
    if (stream) info.rest()
    try {
      const params = readParams(endpoint.params, request, sent, files, stream)
      checkCompanions(endpoint, sent)
      const body = isForm(request) ? noContent : content
      const asked = { endpoint, fields: sent, files, body }
      const mayRepeat = files.length === 0 && !stream
      const result = await carryOut(services, log, admitted, params, info, asked, mayRepeat)
      if (info.login) services.logins.note(log.state, request, info.login)
      return answer(reply, endpoint, result, unknownNames(endpoint, sent))
    } finally {
      info.rest()
    }
  }
}

/**
 * Runs the handler. If it refuses the request because of something that another node has changed since, and has written
 * nothing itself, it runs again.
 */
function carryOut(
  services: AppContext,
  log: RealmLog,
  admitted: Admitted,
  params: Values<Params>,
  info: RequestInfo,
  asked: IdempotentRequest,
  mayRepeat: boolean,
): object | Promise<object> {
  const { caller } = admitted
  let hasWritten = false
  const note = () => {
    hasWritten = true
  }
  const mayStartAgain = () => mayRepeat && !hasWritten
  const attempt = () => {
    const now = admitAgain(admitted, log.state, services.site)
    const check = (state: RealmState) => checkStillAdmitted(now, state, mayStartAgain())
    return handle(contextOf(services, log, now, params, info, check, note), asked, caller)
  }
  return services.secondLooks.run(log, lookPayer(caller, info), attempt, mayStartAgain)
}

/** A repeated request is recognized per user: an anonymous caller has no repeats. */
async function handle(
  context: CommandContext<Params, unknown>,
  asked: IdempotentRequest,
  caller: Caller | null,
) {
  const { endpoint } = asked
  if (!caller || !endpoint.creates) return endpoint.handle(context)
  const header = context.request.header('idempotency-key')
  const key = header === undefined ? endpoint.keyOf?.(context) : await keyOfHeader(header, asked, context)
  return key ? handleOnce(endpoint, context, caller.user.id, key) : endpoint.handle(context)
}

async function realmOf({ realms, site }: AppContext, request: FastifyRequest): Promise<RealmLog> {
  const log = await realms.bySubdomain(subdomainOf(site, request.headers.host))
  if (!log) throw new ApiError('Invalid subdomain', 'NONEXISTENT_SUBDOMAIN', 404)
  return log
}

/** Returns the caller for semaphores, which share their slots between callers. */
function semaphoreCaller(log: RealmLog, caller: Caller | null, { ip }: { ip: string }): SemaphoreCaller {
  return { group: log.state.realm.subdomain, name: caller ? String(caller.user.id) : networkOf(ip) }
}

function contextOf(
  { realms, queues, site, adapters, tracer }: AppContext,
  log: RealmLog,
  { endpoint, caller, me, epoch }: Admitted,
  params: Values<Params>,
  request: RequestInfo,
  check: (state: RealmState) => void,
  noteWrite: () => void,
): CommandContext<Params, unknown> {
  const who = semaphoreCaller(log, caller, request)
  const commit: Commit = async (work) => {
    const actor = actorOf(endpoint, caller, request)
    const checked: typeof work = (change) => {
      check(change.state)
      return work(change)
    }
    const result = await traced(tracer, 'commit', {}, () =>
      whenFree(realms.writing, who, () => log.commitIn(epoch, checked, actor)),
    )
    noteWrite()
    return result
  }
  return {
    realm: log.state,
    me,
    params,
    request,
    site,
    adapters,
    read: endpoint.fromReplica ? readFromReplica(log, who) : log.database.readFor(who),
    catchUp: () => log.catchUpSoon(),
    organizations: (names) => realms.places.named(names, (connections) => connections.readFor(who)),
    queues: queues.of(log),
    commit,
    conclude: commit,
    requestKey: null,
    async commitInGroup(kind, item) {
      const id = await traced(tracer, 'batched write', { kind: kind.name }, () =>
        log.commitInGroup(kind, item, epoch),
      )
      noteWrite()
      return id
    },
  }
}
