import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Adapters } from './adapters/adapters.ts'
import type { MailReceiver } from './adapters/mail/mail-receiver.ts'
import type { Connections } from './db/database.ts'
import { Databases, type ReplicaUrls } from './db/databases.ts'
import { errorPage } from './features/accounts/kernel/pages/layout.ts'
import { reactivateChannels } from './features/channels/channel-activity/reactivate.ts'
import {
  allConsequences,
  allDocuments,
  allEndpoints,
  allEventTypes,
  allJobHandlers,
  allSitePages,
} from './features/index.ts'
import { forgetEmptiedTopics } from './features/kernel/topics/known-topics.ts'
import { watchMissed } from './features/notifications/missed-messages/watch.ts'
import { watchPushes } from './features/notifications/push/watch.ts'
import { storedFileLimits } from './features/organization/kernel/stored-files/limits.ts'
import { RequestBodyBudget } from './http/body/body-budget.ts'
import { LastUsed } from './http/callers/last-used.ts'
import { Logins } from './http/callers/logins.ts'
import { RateLimits } from './http/callers/rate-limits.ts'
import { RefusedKeys } from './http/callers/refused-keys.ts'
import { SecondLooks } from './http/callers/second-look.ts'
import { type HealthCheck, Readiness } from './http/monitoring/health.ts'
import type { MetricsPage } from './http/monitoring/metrics.ts'
import type { NodeServices } from './http/node-services.ts'
import { Admission, type AdmissionLimits } from './http/overload/admission.ts'
import { buildServer } from './http/server.ts'
import { holdRemovals } from './jobs/held-removals.ts'
import { Jobs } from './jobs/jobs.ts'
import { repeatEvery } from './lib/async/repeat-every.ts'
import { unavailable } from './lib/component.ts'
import { Failures } from './lib/failures.ts'
import type { Site } from './lib/site.ts'
import { makeBuckets } from './lib/token-bucket.ts'
import type { Tracer } from './lib/tracer.ts'
import { createNodeNotifier } from './log/nodes/create-node-notifier.ts'
import { handOverTo, writeHanded } from './log/nodes/handed-writes.ts'
import type { NodeNotifier } from './log/nodes/node-notifier.ts'
import { createWorkerNotifier } from './log/nodes/notify-workers.ts'
import { watchLine } from './log/nodes/watch-line.ts'
import { pruneRegularly } from './log/prune.ts'
import { Realms } from './log/realms.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { tracedAdapters } from './monitoring/traced-adapters.ts'
import { Queues } from './queues/queues.ts'

type AppOptions = ReplicaUrls & {
  databaseUrl: string
  /** The URLs of further databases with organizations, by name. */
  databases?: ReadonlyMap<string, string> | undefined
  natsUrl?: string | undefined
  databaseConnections: number
  site: Site
  adapters: Adapters
  logger: Logger
  rateLimits: boolean
  /** How many requests the node works on; by default as limits.ts says. */
  admissionLimits?: AdmissionLimits | undefined
  trustProxy: boolean
  queueIdleSeconds: number
  logDays: number
  monitoring?: Monitoring | undefined
  /** Undefined if nothing is traced. */
  tracer?: Tracer | undefined
}

/** The metrics of a node. `token`: permits to read them at the server's own address. */
export type Monitoring = {
  metrics: Metrics
  token?: string | undefined
  dataDirectory?: string | undefined
  /** Returns the page of all workers, if there are several. */
  text?: (() => Promise<string>) | undefined
}

export type App = {
  http: FastifyInstance
  realms: Realms
  queues: Queues
  /** Does all work that is due, without waiting for the next round. Returns whether there were jobs. */
  workOff(): Promise<boolean>
  /** Loads the code for incoming mail, and returns its receiver. */
  mailReceiver(): Promise<MailReceiver>
  close(): Promise<void>
}

/** The HTTP server, which returns 503 to all requests until a node serves through it. */
export type Http = { server: FastifyInstance; services: NodeServices | undefined; failures: Failures }

/** Builds the HTTP server: it can listen before the database is ready. */
export function buildHttp({
  logger,
  trustProxy,
  monitoring,
  tracer,
}: Pick<AppOptions, 'logger' | 'trustProxy' | 'monitoring' | 'tracer'>): Http {
  const services = () => http.services
  const observer = monitoring?.metrics
  const failures = new Failures(logger, { observer })
  const readiness = new Readiness(
    () => http.services && healthChecks(http.services),
    (check, error) => failures.of(`the check of ${check} failed`)(error),
  )
  const server = buildServer({
    services,
    readiness,
    failures,
    observer,
    tracer,
    metrics: monitoring && metricsPage(monitoring),
    endpoints: allEndpoints,
    sitePages: allSitePages,
    documents: allDocuments(),
    errorPage,
    logger,
    trustProxy,
  })
  const http: Http = { server, services: undefined, failures }
  if (monitoring) readMetrics(monitoring, http, readiness)
  // Long polls would keep the server from closing, so they get their responses first.
  server.addHook('preClose', async () => http.services?.queues.endPolls())
  return http
}

function metricsPage({ metrics, token, text }: Monitoring): MetricsPage | undefined {
  if (token === undefined) return undefined
  return { token, contentType: metrics.contentType, text: text ?? (() => metrics.text()) }
}

/** Tells the metrics where a node's numbers come from. */
function readMetrics({ metrics, dataDirectory }: Monitoring, http: Http, readiness: Readiness) {
  const { server } = http.server
  metrics.readFrom({
    dataDirectory,
    checks: async () => (await readiness.status()).checks ?? {},
    httpConnections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0))),
    node() {
      if (!http.services) return undefined
      const { realms, queues, site, admission } = http.services
      return { realms, queues, admission, clock: site.clock }
    },
  })
}

/** How far a node may be behind, in seconds; it normally looks every two. */
const behindSeconds = 15

/** Returns the checks of what a node needs to serve. */
function healthChecks({ realms, adapters }: NodeServices): Record<string, HealthCheck> {
  return {
    async database() {
      const setting = sql<{ is_read_only: boolean }>`
        SELECT current_setting('transaction_read_only') = 'on' AS is_read_only`
      const { rows } = await setting.execute(realms.connections.db)
      if (rows[0]?.is_read_only) throw unavailable('database', new Error('It takes no changes.'))
    },
    file_store: () => adapters.files.check(),
    async log() {
      const behind = realms.secondsBehind
      if (behind > behindSeconds) throw new Error(`This node is ${Math.round(behind)} seconds behind.`)
    },
  }
}

/** One node of Rookery on a migrated database, serving through `http`: everything but the listening. */
export function buildApp(given: AppOptions, http = buildHttp(given)): App {
  const { site, logger, tracer } = given
  const observer = given.monitoring?.metrics
  const databases = connectAll(given, http.failures)
  const connections = databases.main
  const reached = tracer ? tracedAdapters(given.adapters, tracer) : given.adapters
  const adapters = { ...reached, files: holdRemovals(reached.files, connections.read) }
  const options = { ...given, adapters }
  const notifier = notifierOf(options, connections)
  const { clock, siblings } = site
  const handOver = siblings && handOverTo(siblings)
  const report = http.failures.of('looking for what others wrote failed')
  const consequences = allConsequences(site)
  const realms = new Realms(databases, notifier, { clock, consequences, handOver, report })
  const endHanded = siblings && writeHanded(siblings, realms)
  const queues = new Queues(realms, allEventTypes(), options.queueIdleSeconds, site, observer)
  makeBuckets(site)
  const services = {
    realms,
    queues,
    site,
    adapters,
    rateLimits: new RateLimits(options.rateLimits, siblings),
    admission: new Admission(connections.readers, observer, options.admissionLimits),
    bodyBudget: new RequestBodyBudget(),
    lastUsed: new LastUsed(),
    logins: new Logins(logger, observer),
    refusedKeys: new RefusedKeys(logger, siblings),
    secondLooks: new SecondLooks(),
    tracer,
  }
  const background = inBackground(options, realms, http.failures)
  http.services = services
  return {
    http: http.server,
    realms,
    queues,
    workOff: background.workOff,
    mailReceiver: () => mailReceiverOf(options, services, http.failures),
    async close() {
      await Promise.all([endHanded?.(), background.pruning?.close(), http.server.close()])
      await background.close()
      await queues.save().catch(() => {})
      await realms.close()
      await databases.close()
    },
  }
}

async function mailReceiverOf(
  { logger, monitoring, rateLimits: isLimited }: AppOptions,
  services: NodeServices,
  failures: Failures,
): Promise<MailReceiver> {
  const { PostingReceiver } = await import('./features/notifications/incoming-mail/take-mail.ts')
  const report = failures.of('taking a mail failed')
  return new PostingReceiver({ ...services, logger, observer: monitoring?.metrics, report, isLimited })
}

/** Opens connections to all databases, and to what reads in their place. */
function connectAll(given: AppOptions, failures: Failures): Databases {
  const { databaseReplicaUrl, databaseReplicas, tracer } = given
  const report = failures.of('reading from a replica failed')
  const replicas = { databaseReplicaUrl, databaseReplicas, report }
  return Databases.connect(given, given.databaseConnections, tracer, replicas)
}

/** The workers of a server reach each other directly, and other nodes through their primary. */
function notifierOf(options: AppOptions, connections: Connections): NodeNotifier {
  const { siblings, secrets } = options.site
  if (siblings) return createWorkerNotifier(siblings)
  const { logger, natsUrl, monitoring } = options
  const failed = monitoring && ((component: string) => monitoring.metrics.failed(component))
  return createNodeNotifier({ ...options, secrets }, connections, watchLine(logger, natsUrl, { failed }))
}

/** Starts a node's background work. */
function inBackground(options: AppOptions, realms: Realms, failures: Failures) {
  const { site, adapters, logDays, tracer } = options
  // One worker of a server is enough for pruning and tidying.
  const isFirstWorker = (site.siblings?.own ?? 1) === 1
  const pruning = isFirstWorker
    ? pruneRegularly(realms.databases, options, logDays, site.clock, failures.of('pruning the log failed'))
    : undefined
  const jobs = new Jobs(realms, site, adapters, allJobHandlers, {
    report: failures.of('a job failed'),
    tracer,
  })
  const missed = adapters.mail && watchMissed(realms, site, failures.of('looking for missed messages failed'))
  const pushes = watchPushes(
    realms,
    site,
    adapters,
    failures.of('looking for what devices are to be told failed'),
  )
  forgetEmptiedTopics(realms)
  const reactivation = reactivateChannels(realms, failures.of('noting that a channel is active again failed'))
  const tidy = async () => isFirstWorker && adapters.files.tidy()
  const tidying = repeatEvery(
    storedFileLimits.tidyFilesSeconds,
    tidy,
    failures.of('removing unfinished files failed'),
  )
  tidying.now()
  return {
    pruning,
    async workOff() {
      const before = jobs.claimed
      await Promise.all([missed?.round(), pushes.round()])
      return (await jobs.workOff()) || jobs.claimed > before
    },
    async close() {
      await tidying.close()
      await jobs.close()
      await missed?.close()
      await pushes.close()
      await reactivation.close()
    },
  }
}
