import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../lib/api-error.ts'
import type { Outside } from '../lib/outside.ts'
import { type Site, subdomainOf } from '../lib/site.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import type { Queues } from '../queues/queues.ts'
import { anyone } from './access.ts'
import { answer, methodNotAllowed } from './answer.ts'
import { authenticate } from './authenticate.ts'
import { type Fields, parseBody, parseForm } from './body.ts'
import type { CommandContext, Endpoint, RequestInfo } from './endpoint.ts'
import type { Params, Values } from './params.ts'
import type { RateLimits } from './rate-limits.ts'

/** Everything that a request may need. */
export type Services = {
  realms: Realms
  queues: Queues
  site: Site
  outside: Outside
  rateLimits: RateLimits
}

/** The operations on one path, by method. */
export type Methods = Map<string, Endpoint>

/**
 * The way of every request: organization by host name, method, login, rate limit, parameters, access, handler, answer.
 */
export async function dispatch(
  services: Services,
  methods: Methods,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const log = await realmOf(services, request)
  const form = await parseBody(request.body as Buffer | undefined, request.headers['content-type'] ?? '')
  const endpoint = methods.get(methodOf(request, form))
  if (!endpoint) return refuseMethod(methods, request, reply)
  const caller = endpoint.access === anyone ? null : authenticate(log.state, request.headers.authorization)
  services.rateLimits.check(caller, request.ip, reply)
  const me = endpoint.access(log.state, caller?.user ?? null)
  const sent = fieldsOf(request, form)
  const params = readParams(endpoint.params, request, sent)
  const result = await endpoint.handle(contextOf(services, log, me, params, infoOf(request, reply, sent)))
  return answer(reply, endpoint, result, unknownNames(endpoint, sent))
}

async function realmOf({ realms, site }: Services, request: FastifyRequest): Promise<RealmLog> {
  const log = await realms.bySubdomain(subdomainOf(site, request.headers.host))
  if (!log) throw new ApiError('Invalid subdomain', 'NONEXISTENT_SUBDOMAIN', 404)
  return log
}

// A form can only POST, so a field "method" may say what it means.
function methodOf(request: FastifyRequest, form: Fields) {
  if (request.method === 'HEAD') return 'GET'
  return (request.method === 'POST' && form.get('method')?.toUpperCase()) || request.method
}

function refuseMethod(methods: Methods, request: FastifyRequest, reply: FastifyReply) {
  const allowed = [...methods.keys()]
  if (methods.has('GET')) allowed.push('HEAD')
  if (request.method !== 'OPTIONS') return methodNotAllowed(reply, allowed)
  return reply.code(204).header('allow', allowed.join(', ')).send()
}

function fieldsOf(request: FastifyRequest, form: Fields): Fields {
  const start = request.url.indexOf('?')
  const query = start < 0 ? new Map<string, string>() : parseForm(request.url.slice(start + 1))
  return form.size === 0 ? query : new Map([...query, ...form])
}

function readParams(params: Params, request: FastifyRequest, sent: Fields) {
  const inPath = request.params as Record<string, string>
  const values: Record<string, unknown> = {}
  for (const name in params) {
    const param = params[name]!
    const inRoute = param.takesSlashes ? '*' : name
    values[name] = param.read(name, (asked) => (param.place === 'path' ? inPath[inRoute] : sent.get(asked)))
  }
  return values as Values<Params>
}

function contextOf(
  { realms, queues, site, outside }: Services,
  log: RealmLog,
  me: unknown,
  params: Values<Params>,
  request: RequestInfo,
): CommandContext<Params, unknown> {
  return {
    realm: log.state,
    me,
    params,
    request,
    site,
    outside,
    read: realms.connections.read,
    queues: queues.of(log),
    commit: log.commit,
    commitInGroup: (kind, item) => log.commitInGroup(kind, item),
  }
}

function infoOf(request: FastifyRequest, reply: FastifyReply, sent: Fields): RequestInfo {
  return {
    client: clientName(sent.get('client'), request.headers['user-agent']),
    ip: request.ip,
    path: request.url.split('?')[0]!,
    header: (name) => request.headers[name]?.toString(),
    get gone() {
      const controller = new AbortController()
      reply.raw.once('close', () => controller.abort())
      return controller.signal
    },
  }
}

// Some clients say who they are in a parameter. The rest: what stands before the slash in the User-Agent.
function clientName(given: string | undefined, userAgent: string | undefined) {
  const name = given || userAgent?.split('/')[0]?.trim().split(' ')[0] || 'Unspecified'
  return name.slice(0, 30)
}

/** Parameters that every operation knows, whatever it does with them. */
const known = new Set(['client', 'method'])

function unknownNames({ params }: Endpoint, sent: Fields): string[] {
  const names = new Set(Object.keys(params).flatMap((name) => [name, ...params[name]!.aliases]))
  return [...sent.keys()].filter((name) => !names.has(name) && !known.has(name)).sort()
}
