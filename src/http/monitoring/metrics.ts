import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../lib/api-error.ts'
import { isSameSecret } from '../../lib/secrets/is-same-secret.ts'
import { readMethods, routed } from '../connection/head.ts'
import { answerError, methodNotAllowed } from '../responses/answer.ts'
import { metricsPath } from './monitor-paths.ts'

/** The metrics that a monitor may read, and the token that it must show. */
export type MetricsPage = { token: string; contentType: string; text(): Promise<string> }

/** Serves the metrics of this node to monitors that have the token, on every host name. */
export function serveMetrics(app: FastifyInstance, page: MetricsPage) {
  app.route({
    method: routed,
    url: metricsPath,
    async handler(request, reply) {
      if (!readMethods.includes(request.method)) return methodNotAllowed(reply, readMethods)
      if (!showsToken(request.headers.authorization, page.token)) {
        reply.header('www-authenticate', 'Bearer')
        return answerError(reply, new ApiError('The token is missing or wrong', null, 401), request)
      }
      const text = await page.text()
      return reply.header('content-type', page.contentType).header('cache-control', 'no-store').send(text)
    },
  })
}

/** Whether a header Authorization shows the token. */
export function showsToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return given !== undefined && isSameSecret(given, token)
}
