import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { connect } from './db/database.ts'
import { reactivateChannels } from './features/channel-activity/reactivate.ts'
import { documents, endpoints, eventTypes, jobHandlers } from './features/index.ts'
import { watchMissed } from './features/missed-messages/watch.ts'
import { errorPage } from './features/pages/layout.ts'
import { watchPushes } from './features/push/watch.ts'
import { forgetEmptiedTopics } from './features/topics/known-topics.ts'
import { BodyRoom } from './http/body-room.ts'
import { LastUsed } from './http/last-used.ts'
import { RateLimits } from './http/rate-limits.ts'
import { buildServer } from './http/server.ts'
import { Jobs } from './jobs/jobs.ts'
import { limits } from './lib/limits.ts'
import type { Outside } from './lib/outside.ts'
import { regularly } from './lib/regularly.ts'
import type { Site } from './lib/site.ts'
import { pruneRegularly } from './log/prune.ts'
import { Realms } from './log/realms.ts'
import { wakeOf } from './log/wake-of.ts'
import { Queues } from './queues/queues.ts'

type AppOptions = {
  databaseUrl: string
  natsUrl?: string | undefined
  databaseConnections: number
  site: Site
  outside: Outside
  logger: Logger
  rateLimits: boolean
  trustProxy: boolean
  queueIdleSeconds: number
  logDays: number
}

export type App = { http: FastifyInstance; realms: Realms; queues: Queues; close(): Promise<void> }

/** One node of Rookery on a migrated database: everything but the listening. */
export function buildApp(options: AppOptions): App {
  const { site, outside, logger } = options
  const connections = connect(options.databaseUrl, options.databaseConnections)
  const wake = wakeOf(options, connections, (error) =>
    logger.warn({ err: error }, 'nodes cannot wake each other, and hear of changes late'),
  )
  const realms = new Realms(connections, wake, site.clock)
  const queues = new Queues(realms, eventTypes(), options.queueIdleSeconds, site)
  const rateLimits = new RateLimits(options.rateLimits)
  const bodyRoom = new BodyRoom()
  const services = { realms, queues, site, outside, rateLimits, bodyRoom, lastUsed: new LastUsed() }
  const { trustProxy } = options
  const http = buildServer({ services, endpoints, documents, errorPage, logger, trustProxy })
  // Long polls would keep the server from closing; they get their answer first.
  http.addHook('preClose', async () => queues.endPolls())
  const pruning = pruneRegularly(connections.db, options.logDays, site.clock, (error) =>
    logger.error({ err: error }, 'pruning the log failed'),
  )
  const work = startWork(realms, options)
  forgetEmptiedTopics(realms)
  const reactivation = reactivateChannels(realms, (error) =>
    logger.error({ err: error }, 'noting that a channel is active again failed'),
  )
  return {
    http,
    realms,
    queues,
    async close() {
      await Promise.all([pruning.close(), http.close()])
      await work.close()
      await reactivation.close()
      await queues.save().catch(() => {})
      await realms.close()
      await connections.close()
    },
  }
}

/** What this node does beside answering requests. */
function startWork(realms: Realms, { site, outside, logger }: AppOptions) {
  const reporter = (what: string) => (error: unknown) => logger.error({ err: error }, what)
  const jobs = new Jobs(realms, site, outside, jobHandlers, reporter('a job failed'))
  const missed = outside.mail && watchMissed(realms, site, reporter('looking for missed messages failed'))
  const pushes = watchPushes(
    realms,
    site,
    outside,
    reporter('looking for what devices are to be told failed'),
  )
  const tidy = () => outside.files.tidy()
  const tidying = regularly(limits.tidyFilesSeconds, tidy, reporter('removing unfinished files failed'))
  tidying.now()
  return {
    async close() {
      await tidying.close()
      await jobs.close()
      await missed?.close()
      await pushes.close()
    },
  }
}
