import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { guard, ignore } from '../../lib/guard.ts'
import type { Observer } from '../../lib/observer.ts'
import type { Tracer } from '../../lib/tracer.ts'
import type { Endpoint } from '../endpoint.ts'
import { isForMonitors } from './monitor-paths.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation that the request asks for, once that is known. */
    operation: Endpoint | undefined
  }
}

/** Reports every request when its connection has its response, or has gone. */
export function observeRequests(app: FastifyInstance, observer: Observer) {
  app.addHook('onRequest', (request, { raw }, done) => {
    const since = performance.now()
    const report = guard(ignore, () => {
      if (isForMonitors(request.routeOptions.url)) return
      observer.answered({
        operation: nameOf(request),
        status: statusOf(raw),
        seconds: (performance.now() - since) / 1000,
        // Operations without HEAD are those that wait for events.
        waits: request.operation?.noHead === true,
      })
    })
    raw.once('close', report)
    done()
  })
}

/** Traces every request, as part of the trace of its client if that has one. */
export function traceRequests(app: FastifyInstance, tracer: Tracer) {
  app.addHook('onRequest', (request, { raw }, done) => {
    const { traceparent } = request.headers
    const parent = typeof traceparent === 'string' ? traceparent : undefined
    const attributes = { 'http.request.method': request.method, 'rookery.request_id': request.id }
    const end = tracer.request(parent, done, attributes)
    const report = guard(ignore, () => end({ operation: nameOf(request), status: statusOf(raw) }))
    raw.once('close', report)
  })
}

/** Returns the status of the response; `closed` if the client left before it. */
function statusOf({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? String(statusCode) : 'closed'
}

/** Returns one of a bounded set of names: a request may ask for any path. */
function nameOf({ operation, routeOptions }: FastifyRequest): string {
  if (operation) return `${operation.method} ${operation.path}`
  return routeOptions.url === undefined ? 'unknown path' : 'other'
}
