import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { guard, ignore } from '../../lib/guard.ts'
import { pathOf } from '../connection/head.ts'
import { type MetricsPage, showsToken } from './metrics.ts'
import { metricsPath } from './monitor-paths.ts'

type Options = Omit<MetricsPage, 'token'> & {
  host: string
  port: number
  /** Undefined: all who reach the port may read. */
  token: string | undefined
}

/** Serves the metrics, and nothing else, on a port of their own. Returns the port, and the function that ends it. */
export async function serveMetricsAlone({ host, port, token, ...page }: Options) {
  const handle: RequestListener = async ({ method, url, headers }, response) => {
    const refuse = (status: number, text: string) => response.writeHead(status).end(`${text}\n`)
    if (pathOf(url ?? '') !== metricsPath) return refuse(404, `The metrics are at ${metricsPath}.`)
    if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'Metrics can only be read.')
    if (token !== undefined && !showsToken(headers.authorization, token)) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(401, 'The token is missing or wrong.')
    }
    const text = await page.text()
    return response
      .writeHead(200, { 'content-type': page.contentType, 'cache-control': 'no-store' })
      .end(text)
  }
  const server = createServer()
  const take: RequestListener = (request, response) => {
    const end = (error: Error) => response.destroy(error)
    guard(end, () => handle(request, response))()
  }
  server.on('request', guard(ignore, take))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
