import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import type { SettingSources } from '../../config/sources.ts'
import { connect } from '../../db/database.ts'
import { allUrls } from '../../db/databases.ts'
import type { Siblings } from '../../lib/siblings.ts'
import type { Site } from '../../lib/site.ts'
import { createNodeNotifier } from '../../log/nodes/create-node-notifier.ts'
import { connectWorkers } from '../../log/nodes/notify-workers.ts'
import { watchLine } from '../../log/nodes/watch-line.ts'
import { countFailure, metricsOfAll } from '../../monitoring/all-workers.ts'
import { openDatabase } from '../database/database.ts'
import { missingGroups } from '../doctor/sign-on.ts'
import { greet } from '../serve/greet.ts'
import { publicUrlOn } from '../serve/listen.ts'
import { listenForMonitors } from '../serve/monitoring.ts'
import { ownerLinkOf } from '../serve/owner-link.ts'
import { runServer } from '../serve/run-server.ts'
import { siteAtStart } from '../serve/site-at-start.ts'
import { leaveSettings } from '../server-settings.ts'
import { WorkerProcesses } from './worker-processes.ts'

/**
 * Starts a server of several processes: workers, which serve, and this one, their primary. It owns what there is once:
 * the data directory, our own PostgreSQL, the port, the signals, the connection to other servers.
 */
export async function serveByWorkers(config: Config, sources: SettingSources) {
  await runServer(config, (logger, signal) => start(config, sources, logger, signal))
}

/** Starts the server; returns the function that stops it. */
async function start(
  config: Config,
  sources: SettingSources,
  logger: Logger,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const workers = new WorkerProcesses(config.workers, logger)
  // In the order of opening; closing goes backwards.
  const closing: (() => Promise<unknown>)[] = []
  const stop = async () => {
    await workers.stop()
    for (const close of closing.reverse()) await close()
  }
  try {
    const port = await workers.listen(config)
    const publicUrl = publicUrlOn(port, config)
    closing.push(await listenForMonitors(config, () => metricsOfAll(workers.siblings)))
    const database = await openDatabase(config, (line, level) => logger[level ?? 'info'](line), signal)
    closing.push(() => database.close())
    await leaveSettings(config.dataDirectory, { ...sources.unread, PORT: String(port) })
    const { site, first } = await siteAtStart({ ...config, publicUrl }, database.url, logger)
    closing.push(joinOtherServers(config, database.url, site, workers.siblings, logger))
    await workers.serve({ databaseUrl: database.url, publicUrl, ownerLink: ownerLinkOf(first) })
    const urls = allUrls({ ...config, databaseUrl: database.url })
    for (const { what, advice } of await missingGroups(urls, config)) logger.warn(`${what}. ${advice}`)
    await greet(config, site.publicUrl.origin, first)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Connects the workers with the other servers on the database, if any; returns the function that ends that. */
function joinOtherServers(
  { natsUrl }: Config,
  databaseUrl: string,
  { secrets }: Site,
  siblings: Siblings,
  logger: Logger,
): () => Promise<void> {
  const connections = connect(databaseUrl, 2)
  const notifier = createNodeNotifier(
    { databaseUrl, natsUrl, secrets, follows: 'all' },
    connections,
    watchLine(logger, natsUrl, { failed: (component) => countFailure(siblings, component) }),
  )
  connectWorkers(siblings, notifier)
  return async () => {
    await notifier.close()
    await connections.close()
  }
}
