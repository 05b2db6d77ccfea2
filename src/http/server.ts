import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { ApiError, notReady } from '../lib/api-error.ts'
import type { Failures } from '../lib/failures.ts'
import { libLimits } from '../lib/limits.ts'
import { must } from '../lib/must.ts'
import type { Observer } from '../lib/observer.ts'
import { subdomainOf } from '../lib/site.ts'
import type { Tracer } from '../lib/tracer.ts'
import { checkStatedLength } from './body/body.ts'
import { sessionPrefix } from './callers/caller.ts'
import { Closing } from './connection/closing.ts'
import { closeStalledReaders, serializePipelined } from './connection/connection.ts'
import {
  applyMethodOverride,
  checkHead,
  hideMethod,
  methods,
  pathOf,
  restoreMethod,
  routed,
  treatUnknownMethodAsOptions,
} from './connection/head.ts'
import { refuseMalformed, refuseTunnels } from './connection/refuse-malformed.ts'
import { dispatch } from './dispatch.ts'
import type { Endpoint, Rank } from './endpoint.ts'
import { httpLimits } from './limits.ts'
import type { Methods } from './methods.ts'
import { type Readiness, serveHealth } from './monitoring/health.ts'
import { type MetricsPage, serveMetrics } from './monitoring/metrics.ts'
import { isForMonitors } from './monitoring/monitor-paths.ts'
import { observeRequests, traceRequests } from './monitoring/observe.ts'
import type { NodeServices } from './node-services.ts'
import { batchRequests } from './overload/batch.ts'
import { rankByHead } from './overload/head-rank.ts'
import { refuseExcess } from './overload/refuse-excess.ts'
import { handleStepwise } from './overload/stepwise.ts'
import type { Param } from './params.ts'
import { answerErrorPage } from './responses/answer.ts'
import { type Document, serveDocument } from './responses/document.ts'
import type { ErrorPage } from './responses/pages.ts'
import { type SitePage, serveSitePage } from './responses/site-page.ts'

/** The path prefix of all operations, except those at the root. */
export const apiPrefix = '/api/v1'

const prefixes = [apiPrefix, sessionPrefix]

type ServerOptions = {
  /** Undefined while the server starts: all requests then return 503. */
  services: () => NodeServices | undefined
  endpoints: Endpoint[]
  sitePages: SitePage[]
  documents: Document[]
  readiness: Readiness
  /** Logs failures of components that requests need. */
  failures: Failures
  /** Undefined if no monitor reads what is counted. */
  observer: Observer | undefined
  /** Undefined if nothing is traced. */
  tracer: Tracer | undefined
  /** Undefined if monitors read it elsewhere, or not at all. */
  metrics: MetricsPage | undefined
  errorPage: ErrorPage
  logger: Logger
  trustProxy: boolean
}

/** The HTTP server, not listening yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { logger, trustProxy, errorPage } = options
  const app = fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    // Only the address that the proxy itself has added counts: the client controls everything before it in the header.
    trustProxy: trustProxy && ((_, hop) => hop === 0),
    // Other bodies have a shorter limit; see body.ts.
    requestTimeout: httpLimits.uploadSeconds * 1000,
    connectionTimeout: httpLimits.unreadSeconds * 1000,
    keepAliveTimeout: (httpLimits.clientLongPollSeconds + 5) * 1000,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection still gets its response: a restart must not force clients to retry.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // An email address may be a part of a path, coded.
    routerOptions: {
      ignoreDuplicateSlashes: true,
      maxParamLength: 3 * libLimits.emailLength,
      // Operations read the query themselves.
      querystringParser: () => ({}),
    },
    http: { maxHeaderSize: httpLimits.requestHeaders },
    rewriteUrl(request) {
      treatUnknownMethodAsOptions(request)
      applyMethodOverride(request)
      hideMethod(request)
      return request.url ?? '/'
    },
    frameworkErrors(error, request, reply) {
      restoreMethod(request.raw)
      answerErrorPage(reply, error, request, errorPage)
    },
    clientErrorHandler: refuseMalformed,
  })
  leaveBodies(app)
  watchRequests(app, options)
  const closing = new Closing(app)
  prepareRequests(app, closing, options)
  app.setErrorHandler((error, request, reply) => answerErrorPage(reply, error, request, errorPage))
  app.setNotFoundHandler((request, reply) => {
    return answerErrorPage(reply, new ApiError('Page not found', 'NOT_FOUND', 404), request, errorPage)
  })
  addRoutes(app, options)
  prepareConnections(app.server, closing, options)
  return app
}

/** Handles what comes before the framework sees a request. */
function prepareConnections(server: Server, { isOver }: Closing, options: ServerOptions) {
  const { endpoints, documents, services, observer, errorPage } = options
  batchRequests(
    server,
    operationsThat(endpoints, ({ batched }) => batched),
  )
  handleStepwise(
    server,
    operationsThat(endpoints, ({ stepwise }) => stepwise),
    isOver,
  )
  const rankOf = rankByHead(endpoints, prefixes)
  const free = new Set(documents.map(({ path }) => path))
  refuseExcess(server, {
    isFull: (request) => isFull(services(), rankOf(request), request.headers.host),
    isFree: (url) => free.has(pathOf(url ?? '')),
    note: () => observer?.refused('connections'),
    errorPage,
  })
  // One more than the limit, to detect that there are more.
  server.maxHeadersCount = httpLimits.headersPerRequest + 1
  refuseTunnels(server)
}

/** Lets failures be logged, and requests be counted where a monitor wants that. */
function watchRequests(app: FastifyInstance, { failures, observer, logger }: ServerOptions) {
  app.decorate('failures', failures)
  app.decorateRequest('operation', undefined)
  if (observer) observeRequests(app, observer)
  if (logger.isLevelEnabled('debug')) logAnswers(app)
}

/**
 * Runs for every request before its operation: sets the headers of every response, refuses malformed heads, and keeps the order of
 * responses.
 */
function prepareRequests(app: FastifyInstance, closing: Closing, { services, tracer }: ServerOptions) {
  app.addHook('onRequest', (request, reply, done) => {
    restoreMethod(request.raw)
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    checkHead(request.raw)
    checkStatedLength(request)
    closeStalledReaders(reply.raw)
    serializePipelined(reply.raw, () => {
      if (closing.isOver.aborted) return closing.refuse(reply)
      closing.note(reply)
      done(
        services() || isForMonitors(request.routeOptions.url)
          ? undefined
          : notReady('The server is starting. Try again in a moment.'),
      )
    })
  })
  // Behind the hook above, whose wait belongs to another request.
  if (tracer) traceRequests(app, tracer)
}

/** Whether the node refuses all requests of this rank to this host now. */
function isFull(
  services: NodeServices | undefined,
  rank: Rank | undefined,
  host: string | undefined,
): boolean {
  return services?.admission.refuses(rank, subdomainOf(services.site, host)) ?? false
}

function addRoutes(app: FastifyInstance, options: ServerOptions) {
  const { endpoints, sitePages, documents, readiness, metrics } = options
  const services = () => must(options.services(), 'service yet')
  serveHealth(app, readiness)
  if (metrics) serveMetrics(app, metrics)
  for (const [path, operations] of byPath(endpoints)) {
    app.route({
      method: routed,
      url: path,
      handler: (request, reply) => dispatch(services(), operations, request, reply),
    })
  }
  for (const page of sitePages) serveSitePage(app, page, services)
  for (const document of documents) serveDocument(app, document)
}

function logAnswers(app: FastifyInstance) {
  app.addHook(
    'onResponse',
    async ({ id: reqId, method, routeOptions, log }, { statusCode: status, elapsedTime: ms }) => {
      // The pattern of the path: the path itself may hold the key of a link.
      log.debug({ reqId, method, path: routeOptions.url, status, ms }, 'answered')
    },
  )
}

/** Keeps the framework from reading bodies: body.ts and files.ts read them, and know how large they may be. */
function leaveBodies(app: FastifyInstance) {
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
}

/** Returns a logger that Fastify does not copy for each request, which would cost more than all logging. Lines name their request themselves. */
function withoutChildren(logger: Logger): FastifyBaseLogger {
  const shared: Logger = Object.create(logger)
  return Object.assign(shared, { child: () => shared }) as FastifyBaseLogger
}

function operationsThat(endpoints: Endpoint[], are: (endpoint: Endpoint) => true | undefined): Set<string> {
  return new Set(
    endpoints
      .filter(are)
      .flatMap(({ method, path }) => prefixes.map((prefix) => `${method} ${prefix}${path}`)),
  )
}

/** Returns the operations of each path pattern of the router: below both prefixes, or as declared for those at the root. */
function byPath(endpoints: Endpoint[]): Map<string, Methods> {
  const paths = new Map<string, Methods>()
  const put = (path: string, endpoint: Endpoint) => {
    if (!paths.has(path)) paths.set(path, new Map())
    paths.get(path)!.set(endpoint.method, endpoint)
  }
  for (const endpoint of endpoints.filter(({ root }) => !root)) {
    for (const prefix of prefixes) put(prefix + pattern(endpoint), endpoint)
  }
  for (const endpoint of endpoints.filter(({ root }) => root)) {
    put(pattern(endpoint), endpoint)
    if (endpoint.slashed) put(`${pattern(endpoint)}/`, endpoint)
  }
  return paths
}

function pattern({ path, params }: Endpoint) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    routePart(name, must(params[name], `parameter ${name}`)),
  )
}

/** Returns the router's pattern for a parameter in the path. One for an integer matches digits only. */
function routePart(name: string, param: Param<unknown>) {
  if (param.takesSlashes) return '*'
  return param.schema.safeParse('text').success ? `:${name}` : `:${name}(^\\d+$)`
}
