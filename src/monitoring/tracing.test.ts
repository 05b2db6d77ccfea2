import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sendFiles } from '../../test/pictures.ts'
import { startNode, testServer } from '../../test/test-server.ts'
import { configuredTracing } from '../cli/serve/monitoring.ts'
import { readConfig } from '../config/config.ts'
import { createTracing } from './tracing.ts'

type Span = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

/** A collector, and what it has received. */
const received: { path: string | undefined; key: unknown; text: string }[] = []
const spans: Span[] = []
const collector = createServer(async (request, response) => {
  // biome-ignore lint/suspicious/noExplicitAny: it is what the library writes
  const body = (await json(request)) as any
  received.push({ path: request.url, key: request.headers['x-key'], text: JSON.stringify(body) })
  for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
  response.end('{}')
})
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const options = { endpoint, headers: { 'x-key': 'of ours' }, serviceName: 'chat', ratio: 1, report: () => {} }
const tracer = await createTracing(options)
const all = testServer({ tracer })

beforeEach(async () => {
  await tracer.flush()
  spans.length = received.length = 0
})
afterAll(async () => {
  await tracer.close()
  collector.closeAllConnections()
  collector.close()
})

const traceId = 'a'.repeat(32)
const traceparent = (flags: string) => ({
  headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-${flags}` },
})

function attributeOf({ attributes }: Span, name: string) {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

/** Returns the spans of a trace, once the request is over. */
async function traceOf(name: string): Promise<Span[]> {
  await expect
    .poll(async () => {
      await tracer.flush()
      return spans.map((span) => span.name)
    })
    .toContain(name)
  const root = spans.find((span) => span.name === name)!
  return spans.filter((span) => span.traceId === root.traceId)
}

test('a request is a span in the trace of its client, and what it does are steps of it', async () => {
  const { owner } = await all.organization()
  const params = { type: 'direct', to: [owner.id], content: 'a secret of ours' }
  expect((await owner.post('/messages', params)).status).toBe(200)
  expect((await owner.post('/messages', params, traceparent('01'))).status).toBe(200)
  await expect
    .poll(async () => {
      await tracer.flush()
      return spans.filter((span) => span.traceId === traceId).map((span) => span.name)
    })
    .toContain('POST /messages')
  const trace = spans.filter((span) => span.traceId === traceId)
  const root = trace.find((span) => span.name === 'POST /messages')!
  expect(root).toMatchObject({ kind: 2, parentSpanId: 'b'.repeat(16) })
  expect(attributeOf(root, 'http.response.status_code')).toBe(200)
  const write = trace.find((span) => span.name === 'batched write')!
  expect(write.parentSpanId).toBe(root.spanId)
  const statement = trace.find(
    (span) => span.name === 'database' && String(attributeOf(span, 'db.query.text')).startsWith('WITH head'),
  )!
  expect(statement.parentSpanId).toBe(write.spanId)
  expect(received[0]).toMatchObject({ path: '/v1/traces', key: 'of ours' })
  const sent = received.map(({ text }) => text).join()
  expect(sent).toContain('"service.name"')
  expect(sent).not.toMatch(/a secret of ours|example\.com/)
})

test('a failure is marked, without its text', async () => {
  const { owner } = await all.organization()
  expect(
    (await owner.post('/messages', { type: 'direct', to: ['x@example.com'], content: 'x' })).status,
  ).toBe(400)
  const [root] = (await traceOf('POST /messages')).filter((span) => span.name === 'POST /messages')
  expect(attributeOf(root!, 'http.response.status_code')).toBe(400)
  expect(received.map(({ text }) => text).join()).not.toContain('x@example.com')
})

test('work of services and jobs is traced', async () => {
  const { owner } = await all.organization()
  expect((await sendFiles(owner, 'POST', '/user_uploads', [{ content: Buffer.from('hello') }])).status).toBe(
    200,
  )
  const upload = await traceOf('POST /user_uploads')
  expect(upload.map((span) => span.name)).toContain('file store: receive')
  const at = Math.floor(Date.now() / 1000) + 600
  const params = { type: 'direct', to: [owner.id], content: 'later', scheduled_delivery_timestamp: at }
  expect((await owner.post('/scheduled_messages', params)).status).toBe(200)
  all.pass(700)
  await all.workOff()
  const job = await traceOf('job scheduled_message')
  expect(job.map((span) => span.name)).toContain('database')
})

test('a share of requests is traced, whatever their clients have decided', async () => {
  const rare = await createTracing({ ...options, ratio: 0 })
  const node = await startNode(all.databaseUrl, { tracer: rare })
  const { owner } = await all.organization()
  const here = owner.at({ port: node.port, host: '' })
  await here.get('/users/me')
  await here.get('/users/me', {}, traceparent('00'))
  await here.get('/users/me', {}, traceparent('01'))
  await node.close()
  await rare.close()
  expect(spans.filter((span) => span.name === 'GET /users/me')).toEqual([])
  await owner.get('/users/me', {}, traceparent('00'))
  expect(await traceOf('GET /users/me')).toEqual(
    expect.arrayContaining([expect.objectContaining({ traceId })]),
  )
})

test('a collector that takes no traces is logged, and delays nothing', async () => {
  const strict = createServer((_, response) => response.writeHead(401).end())
  await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`
  const lines: Record<string, unknown>[] = []
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
  const refused = (await configuredTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url }), logger))!
  const node = await startNode(all.databaseUrl, { tracer: refused })
  const { owner } = await all.organization()
  expect((await owner.at({ port: node.port, host: '' }).get('/users/me')).status).toBe(200)
  await node.close()
  await refused.close()
  strict.closeAllConnections()
  strict.close()
  expect(lines).toMatchObject([
    { level: 50, component: 'trace collector', msg: expect.stringContaining('The trace collector failed') },
  ])
})

test('without a collector, nothing is traced', async () => {
  expect(await configuredTracing(readConfig({}), pino({ level: 'silent' }))).toBeUndefined()
})
