import type { Logger } from 'pino'
import type { Monitoring } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { serveMetricsAlone } from '../../http/monitoring/metrics-server.ts'
import { ComponentError } from '../../lib/component.ts'
import { Failures } from '../../lib/failures.ts'
import type { Siblings } from '../../lib/siblings.ts'
import { metricsOfAll, shareMetrics } from '../../monitoring/all-workers.ts'
import { createMetrics, metricsType } from '../../monitoring/metrics.ts'
import type { Tracing } from '../../monitoring/tracing.ts'
import { listenFault } from './listen.ts'

/** Returns what counts for monitors; undefined if the settings name none, as counting has a cost. */
export async function configuredMonitoring(
  config: Config,
  siblings?: Siblings,
): Promise<Monitoring | undefined> {
  const { metricsToken, metricsPort, dataDirectory } = config
  if (!hasMonitor(config)) return undefined
  const token = metricsPort === undefined ? metricsToken : undefined
  const metrics = await createMetrics(siblings?.own)
  if (!siblings) return { metrics, token, dataDirectory }
  shareMetrics(siblings, metrics)
  return { metrics, token, dataDirectory, text: () => metricsOfAll(siblings, metrics) }
}

/** Whether the settings name a monitor. */
function hasMonitor({ metricsToken, metricsPort }: Config): boolean {
  return metricsToken !== undefined || metricsPort !== undefined
}

/** Returns what traces the work of a server, if the settings name a collector. */
export async function configuredTracing(config: Config, logger: Logger): Promise<Tracing | undefined> {
  const { traceEndpoint: endpoint, traceHeaders = {}, traceService: serviceName, traceRatio: ratio } = config
  if (endpoint === undefined) return undefined
  const { createTracing } = await import('../../monitoring/tracing.ts')
  const failed = new Failures(logger).of('traces cannot be sent')
  const report = (error: unknown) =>
    failed(new ComponentError('trace collector', 'It took no traces.', error))
  return createTracing({ endpoint, headers: traceHeaders, serviceName, ratio, report })
}

/** Serves the metrics on the port of their own, if the settings name one. Returns the function that ends it. */
export async function listenForMonitors(
  { metricsHost: host, metricsPort: port, metricsToken: token }: Config,
  text: () => Promise<string>,
): Promise<() => Promise<void>> {
  if (port === undefined) return async () => {}
  const page = { contentType: metricsType, text }
  const settings = { host: 'ROOKERY_METRICS_HOST', port: 'ROOKERY_METRICS_PORT' }
  const { close } = await serveMetricsAlone({ ...page, host, port, token }).catch((error) => {
    throw listenFault(error, { host, port, settings })
  })
  return close
}
