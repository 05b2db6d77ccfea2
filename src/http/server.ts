import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import { answerError } from './answer.ts'
import { dispatch, type Methods, type Services } from './dispatch.ts'
import { type Document, serveDocument } from './document.ts'
import type { Endpoint } from './endpoint.ts'
import type { Param } from './params.ts'

/** Where all operations live. */
export const apiPrefix = '/api/v1'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export type ServerOptions = {
  services: Services
  endpoints: Endpoint[]
  documents: Document[]
  logger: Logger
  trustProxy: boolean
}

/** The HTTP server, not listening yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { services, endpoints, documents, logger, trustProxy } = options
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit: limits.requestBody,
    requestTimeout: limits.requestSeconds * 1000,
    keepAliveTimeout: (limits.clientLongPollSeconds + 5) * 1000,
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreDuplicateSlashes: true },
    http: { maxHeaderSize: limits.requestHeaders },
    frameworkErrors: (error, request, reply) => answerError(reply, error, request),
    clientErrorHandler: (error, socket) => {
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
      const body = '{"result":"error","msg":"Malformed request","code":"BAD_REQUEST"}\n'
      const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json`
      if (socket.writable) socket.end(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    },
  })
  // Parameters are the only thing ever read from a body; see body.ts.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime: ms } = reply
    request.log.debug({ method: request.method, url: request.url.split('?')[0], status, ms }, 'answered')
  })
  app.setErrorHandler((error, request, reply) => answerError(reply, error, request))
  app.setNotFoundHandler((request, reply) => {
    return answerError(reply, new ApiError('Page not found', 'NOT_FOUND', 404), request)
  })
  for (const [path, operations] of byPath(endpoints)) {
    app.route({
      method: [...methods],
      url: path,
      handler: (request, reply) => dispatch(services, operations, request, reply),
    })
  }
  for (const document of documents) serveDocument(app, document)
  return app
}

/** The operations of each path pattern, as the router takes it. */
function byPath(endpoints: Endpoint[]): Map<string, Methods> {
  const paths = new Map<string, Methods>()
  for (const endpoint of endpoints) {
    const pattern = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      routePart(name, endpoint.params[name]!),
    )
    const path = apiPrefix + pattern
    if (!paths.has(path)) paths.set(path, new Map())
    paths.get(path)!.set(endpoint.method, endpoint)
  }
  return paths
}

/** A path integer matches digits only. */
function routePart(name: string, param: Param<unknown>) {
  if (param.takesSlashes) return '*'
  return param.schema.safeParse('text').success ? `:${name}` : `:${name}(^\\d+$)`
}
