import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Adapters } from './adapters/adapters.ts'
import { connect } from './db/database.ts'
import { errorPage } from './features/accounts/kernel/pages/layout.ts'
import { reactivateChannels } from './features/channels/channel-activity/reactivate.ts'
import {
  allConsequences,
  allDocuments,
  allEndpoints,
  allEventTypes,
  allJobHandlers,
} from './features/index.ts'
import { forgetEmptiedTopics } from './features/kernel/topics/known-topics.ts'
import { watchMissed } from './features/notifications/missed-messages/watch.ts'
import { watchPushes } from './features/notifications/push/watch.ts'
import { storedFileLimits } from './features/organization/kernel/stored-files/limits.ts'
import { RequestBodyBudget } from './http/body-budget.ts'
import type { AppContext } from './http/dispatch.ts'
import type { HealthCheck } from './http/health.ts'
import { LastUsed } from './http/last-used.ts'
import { RateLimits } from './http/rate-limits.ts'
import { SecondLooks } from './http/second-look.ts'
import { buildServer } from './http/server.ts'
import { Jobs } from './jobs/jobs.ts'
import { unavailable } from './lib/component.ts'
import { repeatEvery } from './lib/repeat-every.ts'
import type { Site } from './lib/site.ts'
import { createNodeNotifier } from './log/create-node-notifier.ts'
import { Failures } from './log/failures.ts'
import { pruneRegularly } from './log/prune.ts'
import { Realms } from './log/realms.ts'
import { Queues } from './queues/queues.ts'

type AppOptions = {
  databaseUrl: string
  natsUrl?: string | undefined
  databaseConnections: number
  site: Site
  outside: Adapters
  logger: Logger
  rateLimits: boolean
  trustProxy: boolean
  queueIdleSeconds: number
  logDays: number
}

export type App = {
  http: FastifyInstance
  realms: Realms
  queues: Queues
  /** Does what is due now, without waiting for the next look; returns whether there were jobs. */
  workOff(): Promise<boolean>
  close(): Promise<void>
}

/** The HTTP server, which returns 503 to all requests until a node serves through it. */
export type Http = { server: FastifyInstance; services: AppContext | undefined }

/** Builds the HTTP server: it can listen before the database is ready. */
export function buildHttp({ logger, trustProxy }: Pick<AppOptions, 'logger' | 'trustProxy'>): Http {
  const services = () => http.services
  const failures = new Failures(logger)
  const server = buildServer({
    services,
    checks: () => http.services && healthChecks(http.services),
    reportCheck: (check, error) => failures.of(`the check of ${check} failed`)(error),
    endpoints: allEndpoints,
    documents: allDocuments(),
    errorPage,
    logger,
    trustProxy,
  })
  const http: Http = { server, services: undefined }
  // Long polls would keep the server from closing, so they get their responses first.
  server.addHook('preClose', async () => http.services?.queues.endPolls())
  return http
}

/** How far a node may be behind, in seconds; it normally looks every two. */
const behindSeconds = 15

/** What a node needs to do its work. */
function healthChecks({ realms, outside }: AppContext): Record<string, HealthCheck> {
  return {
    async database() {
      const setting = sql<{ is_read_only: boolean }>`
        SELECT current_setting('transaction_read_only') = 'on' AS is_read_only`
      const { rows } = await setting.execute(realms.connections.db)
      if (rows[0]?.is_read_only) throw unavailable('database', new Error('It takes no changes.'))
    },
    file_store: () => outside.files.check(),
    async log() {
      const behind = realms.secondsBehind
      if (behind > behindSeconds) throw new Error(`This node is ${Math.round(behind)} seconds behind.`)
    },
  }
}

/** One node of Rookery on a migrated database, serving through `http`: everything but the listening. */
export function buildApp(options: AppOptions, http = buildHttp(options)): App {
  const { site, outside, logger } = options
  const connections = connect(options.databaseUrl, options.databaseConnections)
  const wake = createNodeNotifier(options, connections, (error) =>
    logger.warn(
      { component: options.natsUrl ? 'NATS' : 'database', err: error },
      'nodes cannot wake each other, and hear of changes late',
    ),
  )
  const realms = new Realms(connections, wake, { clock: site.clock, consequences: allConsequences(site) })
  const queues = new Queues(realms, allEventTypes(), options.queueIdleSeconds, site)
  const rateLimits = new RateLimits(options.rateLimits)
  const bodyRoom = new RequestBodyBudget()
  const services = {
    realms,
    queues,
    site,
    outside,
    rateLimits,
    bodyRoom,
    lastUsed: new LastUsed(),
    secondLooks: new SecondLooks(),
  }
  const background = inBackground(options, realms)
  http.services = services
  return {
    http: http.server,
    realms,
    queues,
    workOff: background.workOff,
    async close() {
      await Promise.all([background.pruning.close(), http.server.close()])
      await background.close()
      await queues.save().catch(() => {})
      await realms.close()
      await connections.close()
    },
  }
}

/** Starts a node's background work. */
function inBackground({ site, outside, logger, logDays }: AppOptions, realms: Realms) {
  const failures = new Failures(logger)
  const { db } = realms.connections
  const pruning = pruneRegularly(db, logDays, site.clock, failures.of('pruning the log failed'))
  const jobs = new Jobs(realms, site, outside, allJobHandlers, failures.of('a job failed'))
  const missed = outside.mail && watchMissed(realms, site, failures.of('looking for missed messages failed'))
  const pushes = watchPushes(
    realms,
    site,
    outside,
    failures.of('looking for what devices are to be told failed'),
  )
  forgetEmptiedTopics(realms)
  const reactivation = reactivateChannels(realms, failures.of('noting that a channel is active again failed'))
  const tidy = () => outside.files.tidy()
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
      await jobs.workOff()
      return jobs.claimed > before
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
