import type { FastifyInstance, FastifyRequest } from 'fastify'
import { guard, ignore } from '../lib/guard.ts'
import type { Observer } from '../lib/observer.ts'
import type { Endpoint } from './endpoint.ts'
import { isAboutHealth } from './health.ts'
import { metricsPath } from './metrics.ts'

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
      const { url } = request.routeOptions
      if (isAboutHealth(url) || url === metricsPath) return
      observer.answered({
        operation: nameOf(request),
        status: raw.headersSent ? String(raw.statusCode) : 'closed',
        seconds: (performance.now() - since) / 1000,
        waits: request.operation?.noHead === true,
      })
    })
    raw.once('close', report)
    done()
  })
}

/** A bounded set of names: a request may be for anything. */
function nameOf({ operation, routeOptions }: FastifyRequest): string {
  if (operation) return `${operation.method} ${operation.path}`
  return routeOptions.url === undefined ? 'unknown path' : 'other'
}
