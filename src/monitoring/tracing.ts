import { AsyncLocalStorage } from 'node:async_hooks'
import type * as Api from '@opentelemetry/api'
import type * as Sdk from '@opentelemetry/sdk-trace-base'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { codeOf } from '../lib/errors.ts'
import { ignore } from '../lib/guard.ts'
import type { TraceAttributes, TracedEnd, Tracer } from '../lib/tracer.ts'
import { productVersion } from '../lib/version.ts'

type Options = {
  /** The URL below which the collector's v1/traces is. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
  /** The share of traces that are recorded, from 0 to 1. */
  ratio: number
  /** Receives the error when the collector takes no traces. */
  report(error: unknown): void
}

/** Seconds that the last traces may take to go out when the server stops. */
const lastSeconds = 3

/** Loads the libraries, which takes a while: only servers that trace do that. */
export async function createTracing(options: Options): Promise<Tracing> {
  const [api, core, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { endpoint, headers, serviceName, ratio, report } = options
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers })
  const send = exporter.export.bind(exporter)
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error) report(result.error)
      done(result)
    })
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': productVersion }),
    sampler: samplerOf(sdk, ratio),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  return new Tracing(api, core.parseTraceParent, provider)
}

/**
 * Samples a share of the requests, and all steps of these. What a client sends does not count, neither its decision nor
 * the id of its trace: any client could have all its requests recorded, or none.
 */
function samplerOf({ ParentBasedSampler, SamplingDecision }: typeof Sdk, ratio: number): Sdk.Sampler {
  const root: Sdk.Sampler = {
    shouldSample: () => ({
      decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `share of ${ratio}`,
  }
  return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root })
}

type Provider = Pick<Api.TracerProvider, 'getTracer'> & {
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** Traces the work of one node, and sends the traces to a collector. Nothing of it is global: a process may have several. */
export class Tracing implements Tracer {
  private readonly api: typeof Api
  private readonly parse: (header: string) => Api.SpanContext | null
  private readonly provider: Provider
  private readonly tracer: Api.Tracer
  private readonly current = new AsyncLocalStorage<Api.Context>()

  constructor(api: typeof Api, parse: (header: string) => Api.SpanContext | null, provider: Provider) {
    this.api = api
    this.parse = parse
    this.provider = provider
    this.tracer = provider.getTracer('rookery')
  }

  request(parent: string | undefined, go: () => void, attributes: TraceAttributes) {
    const { trace, ROOT_CONTEXT, SpanKind } = this.api
    const remote = parent === undefined ? null : this.parse(parent)
    const context = remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT
    const span = this.tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, context)
    this.current.run(trace.setSpan(context, span), go)
    return ({ operation, status }: TracedEnd) => {
      span.updateName(operation)
      span.setAttribute('http.route', operation)
      span.setAttribute('http.response.status_code', Number(status) || 0)
      if (Number(status) >= 500) span.setStatus({ code: this.api.SpanStatusCode.ERROR })
      span.end()
    }
  }

  async step<T>(name: string, attributes: TraceAttributes, work: () => Promise<T>): Promise<T> {
    const { trace, ROOT_CONTEXT, SpanStatusCode } = this.api
    const context = this.current.getStore() ?? ROOT_CONTEXT
    const span = this.tracer.startSpan(name, { attributes }, context)
    try {
      return await this.current.run(trace.setSpan(context, span), work)
    } catch (error) {
      // Its message may have what users wrote.
      span.setAttribute('error.type', codeOf(error) ?? (error as Error | undefined)?.name ?? 'unknown')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  /** Sends what has not been sent yet. */
  flush(): Promise<void> {
    return this.provider.forceFlush()
  }

  async close() {
    await withTimeout(lastSeconds, this.provider.shutdown().catch(ignore))
  }
}
