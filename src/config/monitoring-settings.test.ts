import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('there are no metrics until a token or a port is set', () => {
  expect(readConfig({})).toMatchObject({ metricsToken: undefined, metricsPort: undefined })
  const token = 'sixteen-letters!'
  expect(readConfig({ ROOKERY_METRICS_TOKEN: token })).toMatchObject({ metricsToken: token })
  expect(readConfig({ ROOKERY_METRICS_PORT: '9464' })).toMatchObject({
    metricsPort: 9464,
    metricsHost: '127.0.0.1',
  })
})

test('a token that can be guessed is refused, and not repeated', () => {
  expect(() => readConfig({ ROOKERY_METRICS_TOKEN: 'hunter2' })).toThrow(
    'ROOKERY_METRICS_TOKEN must be a text of 16 characters or more without spaces.',
  )
})

test('the headers for a collector of traces are read as OpenTelemetry writes them, and not repeated', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example.org'
  const read = (headers: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers }).traceHeaders
  expect(read('authorization=Basic%20aHVudGVyMg==, x-team=chat')).toEqual({
    authorization: 'Basic aHVudGVyMg==',
    'x-team': 'chat',
  })
  expect(() => read('hunter2')).toThrow(
    /^OTEL_EXPORTER_OTLP_HEADERS must be headers like `name=value,name=value`\.$/,
  )
  expect(readConfig({})).toMatchObject({ traceEndpoint: undefined, traceRatio: 1, traceService: 'rookery' })
  expect(readConfig({ OTEL_TRACES_SAMPLER_ARG: '0.25' }).traceRatio).toBe(0.25)
})
