import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { ApiError, notReady } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import { answerErrorPage } from './answer.ts'
import { gatherRequests } from './batch.ts'
import { checkContentLength, isMultipart } from './body.ts'
import { sessionPrefix } from './caller.ts'
import { Closing } from './closing.ts'
import { closeStalledReaders, serializePipelined } from './connection.ts'
import { type AppContext, dispatch, type Methods } from './dispatch.ts'
import { type Document, serveDocument } from './document.ts'
import type { Endpoint } from './endpoint.ts'
import { checkHead, methods, takeStrangeMethod } from './head.ts'
import type { ErrorPage } from './pages.ts'
import type { Param } from './params.ts'
import { refuseMalformed, refuseTunnels } from './refuse.ts'

/** Where all operations live, but those at the root. */
export const apiPrefix = '/api/v1'

const prefixes = [apiPrefix, sessionPrefix]

type ServerOptions = {
  /** Undefined while the server starts: then everybody is asked to come again. */
  services: () => AppContext | undefined
  endpoints: Endpoint[]
  documents: Document[]
  errorPage: ErrorPage
  logger: Logger
  trustProxy: boolean
}

/** The HTTP server, not listening yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { services, endpoints, documents, logger, trustProxy, errorPage } = options
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // Whatever is logged of a request names it itself; a logger for each of them costs more than all that is logged.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    // Only what the proxy itself has added counts: what stands before it in the header comes from whoever asks.
    trustProxy: trustProxy && ((_, hop) => hop === 0),
    // The rest need not take so long; see body.ts.
    requestTimeout: limits.uploadSeconds * 1000,
    connectionTimeout: limits.unreadSeconds * 1000,
    keepAliveTimeout: (limits.clientLongPollSeconds + 5) * 1000,
    forceCloseConnections: 'idle',
    // What still comes over an open connection gets its answer: nobody is to ask twice because a server is restarted.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    // An e-mail address may be a part of a path, coded.
    routerOptions: { ignoreDuplicateSlashes: true, maxParamLength: 3 * limits.emailLength },
    http: { maxHeaderSize: limits.requestHeaders },
    rewriteUrl(request) {
      takeStrangeMethod(request)
      return request.url!
    },
    frameworkErrors: (error, request, reply) => answerErrorPage(reply, error, request, errorPage),
    clientErrorHandler: refuseMalformed,
  })
  leaveBodies(app)
  prepareRequests(app, services)
  if (logger.isLevelEnabled('debug')) logAnswers(app)
  app.setErrorHandler((error, request, reply) => answerErrorPage(reply, error, request, errorPage))
  app.setNotFoundHandler((request, reply) => {
    return answerErrorPage(reply, new ApiError('Page not found', 'NOT_FOUND', 404), request, errorPage)
  })
  addRoutes(app, options)
  for (const document of documents) serveDocument(app, document)
  gatherRequests(app.server, gatheredOperations(endpoints))
  // One more than may be, to see that there are more.
  app.server.maxHeadersCount = limits.headersPerRequest + 1
  refuseTunnels(app.server)
  return app
}

/** What comes before everything else: the headers of every answer, what refuses an odd head, and the order of answers. */
function prepareRequests(app: FastifyInstance, services: ServerOptions['services']) {
  const closing = new Closing(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    checkHead(request.raw)
    closeStalledReaders(reply.raw)
    serializePipelined(reply.raw, () => {
      closing.note(reply)
      done(services() ? undefined : notReady('The server is starting. Try again in a moment.'))
    })
  })
}

function addRoutes(app: FastifyInstance, { services, endpoints }: ServerOptions) {
  for (const [path, operations] of byPath(endpoints)) {
    app.route({
      method: [...methods],
      url: path,
      handler: (request, reply) => dispatch(services()!, operations, request, reply),
    })
  }
}

function logAnswers(app: FastifyInstance) {
  app.addHook(
    'onResponse',
    async ({ id: reqId, method, routeOptions, log }, { statusCode: status, elapsedTime: ms }) => {
      // The pattern of the path: what stands in its place may be the key of a link.
      log.debug({ reqId, method, path: routeOptions.url, status, ms }, 'answered')
    },
  )
}

/** Bodies are read by whoever knows how much of them there may be: see body.ts and files.ts. */
function leaveBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, body, done) => {
    try {
      if (!isMultipart(request)) checkContentLength(request)
      done(null, body)
    } catch (error) {
      done(error as Error)
    }
  })
}

function gatheredOperations(endpoints: Endpoint[]): Set<string> {
  const gathered = endpoints.filter((endpoint) => endpoint.gathered)
  return new Set(
    gathered.flatMap(({ method, path }) => prefixes.map((prefix) => `${method} ${prefix}${path}`)),
  )
}

/** The operations of each path pattern, as the router takes it. What is declared for a path at the root counts there. */
function byPath(endpoints: Endpoint[]): Map<string, Methods> {
  const paths = new Map<string, Methods>()
  const put = (path: string, endpoint: Endpoint) => {
    if (!paths.has(path)) paths.set(path, new Map())
    paths.get(path)!.set(endpoint.method, endpoint)
  }
  for (const endpoint of endpoints.filter(({ root }) => !root)) {
    for (const prefix of prefixes) put(prefix + pattern(endpoint), endpoint)
  }
  for (const endpoint of endpoints.filter(({ root }) => root)) put(pattern(endpoint), endpoint)
  return paths
}

function pattern({ path, params }: Endpoint) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => routePart(name, params[name]!))
}

/** A path integer matches digits only. */
function routePart(name: string, param: Param<unknown>) {
  if (param.takesSlashes) return '*'
  return param.schema.safeParse('text').success ? `:${name}` : `:${name}(^\\d+$)`
}
