import { rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import { createOrganization, firstChannels } from '../features/realm/create-organization.ts'
import { type Config, defaultPublicUrl } from '../lib/config.ts'
import type { Site } from '../lib/site.ts'
import { siteOf } from './context.ts'
import { openDatabase } from './database.ts'
import { say } from './output.ts'
import { newPassword } from './password.ts'
import { zuliprc } from './zuliprc.ts'

/** Starts the server, which then runs until it is told to stop. */
export async function serve(config: Config) {
  const logger = pino({ level: config.logLevel })
  const starting = start(config, logger)
  stopOnSignal(logger, async () => {
    const stop = await starting.catch(() => undefined)
    await stop?.()
  })
  await starting
}

/** Answers what stops it again. */
async function start(config: Config, logger: Logger): Promise<() => Promise<void>> {
  const database = await openDatabase(config, (line) => logger.info(line))
  let app: App | undefined
  const stop = async () => {
    await app?.close()
    await database.close()
  }
  try {
    const site = siteOf(config)
    app = buildApp({ ...config, databaseUrl: database.url, site, logger })
    await listen(app, config, site)
    await greet(app, config, site)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

async function listen({ http }: App, { host, port, publicUrl }: Config, site: Site) {
  await http.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'another process does already; set PORT to another one',
      EACCES: 'this user may not; set PORT to 1024 or above',
      EADDRNOTAVAIL: 'this machine does not have that address; set HOST to one it has',
      ENOTFOUND: 'the name is unknown; set HOST to an address of this machine',
    }
    const reason = reasons[error.code ?? ''] ?? error.message
    throw new Error(`The server cannot listen on ${host} port ${port}: ${reason}.`, { cause: error })
  })
  const { port: taken } = http.server.address() as AddressInfo
  if (publicUrl === defaultPublicUrl(host, 0)) site.publicUrl = new URL(defaultPublicUrl(host, taken))
}

/** Says where the server is; on the very first start makes the first organization and says who may log in. */
async function greet(app: App, config: Config, site: Site) {
  const first = await app.realms.connections.read
    .selectFrom('realm')
    .where('subdomain', '=', '')
    .select('name')
    .executeTakeFirst()
  if (first) {
    say(`Rookery serves ${first.name} at ${site.publicUrl.origin}, with the data of earlier starts.`)
    return
  }
  const password = newPassword()
  const { result } = await createOrganization(app.realms.connections, {
    channels: firstChannels,
    name: config.organization,
    subdomain: '',
    ownerEmail: config.ownerEmail,
    ownerName: 'Owner',
    password,
    now: site.clock(),
  })
  say(`Rookery serves the new organization ${config.organization}.

  address   ${site.publicUrl.origin}
  e-mail    ${config.ownerEmail}
  password  ${password}`)
  const file = join(config.dataDirectory, 'zuliprc')
  // Made anew: the mode would not be that of a file which stands there already.
  await rm(file, { force: true })
  const rc = zuliprc(config.ownerEmail, result.key, site.publicUrl.origin)
  await writeFile(file, rc, { mode: 0o600, flag: 'wx' })
  say(`\nThe password is not shown again. Clients that use an API key find one in ${file}.`)
}

/** On the first signal stops in order; on a second one at once. */
function stopOnSignal(logger: Logger, stop: () => Promise<void>) {
  let stopping = false
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    logger.info(`stopping on ${signal}`)
    stop().then(
      () => process.exit(0),
      (error) => {
        logger.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}
