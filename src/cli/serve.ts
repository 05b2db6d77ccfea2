import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { checkSignOn } from '../adapters/sign-on/configured-sign-on.ts'
import { type App, buildApp, buildHttp, type Http } from '../app.ts'
import { type Config, defaultPublicUrl } from '../config/config.ts'
import type { SettingSources } from '../config/sources.ts'
import { outsideOf, siteOf } from './context.ts'
import { openDatabase } from './database.ts'
import { missingGroups } from './doctor-sign-on.ts'
import { warnOfFiles } from './file-findings.ts'
import { type FirstOrganization, firstOrganization, ownerFiles } from './first-start.ts'
import { endInOrder } from './life.ts'
import { listenFault } from './listen.ts'
import { configuredMonitoring, configuredTracing, listenForMonitors } from './monitoring.ts'
import { say } from './output.ts'
import { keepOwnerLink } from './owner-link.ts'
import { logInsteadOfPrinting } from './printing.ts'
import { secretsOf } from './secret.ts'
import { checkDatabaseIsNamed, leaveSettings } from './server-settings.ts'

/** Starts the server, which then runs until it is told to stop. `sources`: where the configuration comes from. */
export async function serve(config: Config, sources: SettingSources) {
  const logger = pino({ level: config.logLevel })
  logInsteadOfPrinting(logger)
  const starting = start(config, sources, logger)
  const forget = endInOrder(logger, async () => {
    const stop = await starting.catch(() => undefined)
    await stop?.()
  })
  await starting.catch((error) => {
    forget()
    throw error
  })
}

/** Starts the server; returns the function that stops it. */
async function start(config: Config, sources: SettingSources, logger: Logger): Promise<() => Promise<void>> {
  await checkDatabaseIsNamed(config)
  await checkSignOn(config)
  const outside = outsideOf(config)
  // It listens before the database is ready, which may take a while: until then clients receive 503.
  const monitoring = await configuredMonitoring(config)
  const tracer = await configuredTracing(config, logger)
  const watched = { logger, monitoring, tracer }
  const http = buildHttp({ ...config, ...watched })
  const port = await listen(http, config)
  const isChosen = config.publicUrl !== defaultPublicUrl(config.host, 0)
  const publicUrl = isChosen ? config.publicUrl : defaultPublicUrl(config.host, port)
  let app: App | undefined
  let endMonitors = async () => {}
  let database: Awaited<ReturnType<typeof openDatabase>> | undefined
  let stopLooking = async () => {}
  const stop = async () => {
    await stopLooking()
    await (app ?? { close: () => http.server.close() }).close()
    await database?.close()
    await endMonitors()
    await tracer?.close()
  }
  try {
    endMonitors = await listenForMonitors(config, monitoring)
    database = await openDatabase(config, (line) => logger.info(line))
    await leaveSettings(config.dataDirectory, { ...sources.unread, PORT: String(port) })
    const site = siteOf({ ...config, publicUrl }, await secretsOf(config))
    // The organization is there before the first request is answered.
    const first = await firstOrganization(database.url, config, site)
    app = buildApp({ ...config, databaseUrl: database.url, site, outside, ...watched }, http)
    stopLooking = await keepOwnerLink(config, app.realms, site, first)
    const { url } = database
    for (const { what, advice } of await missingGroups(url, config)) logger.warn(`${what}. ${advice}`)
    await greet(config, site.publicUrl.origin, first)
    void warnOfFiles(config, app.realms.connections.read, logger)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** Listens; returns the port. */
async function listen({ server }: Http, { host, port }: Config): Promise<number> {
  await server.listen({ host, port }).catch((error) => {
    throw listenFault(error, { host, port, settings: { host: 'HOST', port: 'PORT' } })
  })
  return (server.server.address() as AddressInfo).port
}

/**
 * Prints the server's address, and where the owner's credentials are while they have no password. A terminal shows the
 * link itself; what may become a log does not.
 */
async function greet(config: Config, address: string, { name, isNew }: FirstOrganization) {
  const { key, link: file } = ownerFiles(config)
  const link = await readFile(file, 'utf8').catch(() => undefined)
  const shown = process.stdout.isTTY && link ? link.trim() : `the link in ${file}`
  const once = 'The link works once, within an hour; each start makes a new one until it was used.'
  if (!isNew) {
    const waiting = link
      ? `\nThe owner has not chosen a password yet, which they do with ${shown}\n${once}`
      : ''
    say(`Rookery serves ${name} at ${address}, with the data of earlier starts.${waiting}`)
    return
  }
  say(`Rookery serves the new organization ${name}.

  address   ${address}
  e-mail    ${config.ownerEmail}
  password  is chosen with ${shown}

${once}
Clients that use an API key find one in ${key}.`)
}
