import type { Logger } from 'pino'
import { type App, buildApp, buildHttp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { SettingSources } from '../../config/sources.ts'
import { allUrls } from '../../db/databases.ts'
import { adaptersOf } from '../context.ts'
import { openDatabase } from '../database/database.ts'
import { warnOfFiles } from '../doctor/file-findings.ts'
import { missingGroups } from '../doctor/sign-on.ts'
import { leaveSettings } from '../server-settings.ts'
import { greet } from './greet.ts'
import { listenOn, publicUrlOn } from './listen.ts'
import { takeMail } from './mail-in.ts'
import { configuredMonitoring, configuredTracing, listenForMonitors } from './monitoring.ts'
import { keepOwnerLink, ownerLinkOf } from './owner-link.ts'
import { runServer } from './run-server.ts'
import { siteAtStart } from './site-at-start.ts'

/** Starts the server, which then runs until it is told to stop. `sources`: where the configuration comes from. */
export async function serve(config: Config, sources: SettingSources) {
  await runServer(config, (logger, signal) => start(config, sources, logger, signal))
}

/** Starts the server; returns the function that stops it. */
async function start(
  config: Config,
  sources: SettingSources,
  logger: Logger,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const adapters = adaptersOf(config)
  // It listens before the database is ready, which may take a while: until then clients receive 503.
  const monitoring = await configuredMonitoring(config)
  const tracer = await configuredTracing(config, logger)
  const watched = { logger, monitoring, tracer }
  const http = buildHttp({ ...config, ...watched })
  const port = await listenOn(http, config)
  const publicUrl = publicUrlOn(port, config)
  let app: App | undefined
  let endMonitors = async () => {}
  let database: Awaited<ReturnType<typeof openDatabase>> | undefined
  let stopLooking = async () => {}
  let endMail = async () => {}
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await endMail()
    await stopLooking()
    await (app ?? { close: () => http.server.close() }).close()
    await database?.close()
    await endMonitors()
    await tracer?.close()
  }
  try {
    if (monitoring) endMonitors = await listenForMonitors(config, () => monitoring.metrics.text())
    database = await openDatabase(config, (line, level) => logger[level ?? 'info'](line), signal)
    await leaveSettings(config.dataDirectory, { ...sources.unread, PORT: String(port) })
    // The organization is there before the first request is answered.
    const { site, first } = await siteAtStart({ ...config, publicUrl }, database.url, logger)
    app = buildApp({ ...config, databaseUrl: database.url, site, adapters, ...watched }, http)
    endMail = await takeMail(config, app)
    stopLooking = await keepOwnerLink(config, app.realms, site, ownerLinkOf(first))
    const urls = allUrls({ ...config, databaseUrl: database.url })
    for (const { what, advice } of await missingGroups(urls, config)) logger.warn(`${what}. ${advice}`)
    await greet(config, site.publicUrl.origin, first)
    for (const { read } of app.realms.databases.all) void warnOfFiles(config, read, logger, stopping.signal)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
