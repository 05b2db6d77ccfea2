import { fraction, headerPairs, httpUrl, name, optional, required } from './setting-kinds.ts'

/** The settings of traces, under the names that OpenTelemetry gives them. */
export const tracingSettings = {
  traceEndpoint: {
    ...optional('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl(), 'none: nothing is traced'),
    summary: 'The collector of traces, by OTLP over HTTP: the URL below which its `v1/traces` is.',
  },
  traceHeaders: {
    ...optional('OTEL_EXPORTER_OTLP_HEADERS', headerPairs(), 'none'),
    summary: 'Headers for the collector, such as the key to it.',
    secret: true,
  },
  traceService: required('OTEL_SERVICE_NAME', name(100), 'rookery', 'What this server is called in traces.'),
  traceRatio: required(
    'OTEL_TRACES_SAMPLER_ARG',
    fraction(),
    '1',
    'Which share of requests is traced, whatever their clients have decided.',
  ),
}
