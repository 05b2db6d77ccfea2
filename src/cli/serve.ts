import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import { createOrganization } from '../features/realm/create-organization.ts'
import { type Config, defaultPublicUrl } from '../lib/config.ts'
import type { Site } from '../lib/site.ts'
import { zulipVersion } from '../lib/version.ts'
import { openDatabase } from './database.ts'
import { zuliprc } from './zuliprc.ts'

/** Runs the server until it is told to stop. */
export async function serve(config: Config) {
  const logger = pino({ level: config.logLevel })
  const database = await openDatabase(config, (line) => logger.info(line))
  let app: App | undefined
  try {
    const site = siteOf(config)
    app = buildApp({ ...config, databaseUrl: database.url, site, logger })
    await app.http.listen({ host: config.host, port: config.port })
    const { port } = app.http.server.address() as AddressInfo
    if (config.port === 0) site.publicUrl = new URL(defaultPublicUrl(config.host, port))
    await greet(app, config, site)
  } catch (error) {
    await app?.close()
    await database.close()
    throw error
  }
  stopOnSignal(logger, async () => {
    await app.close()
    await database.close()
  })
}

function siteOf(config: Config): Site {
  const clock = () => Math.floor(Date.now() / 1000)
  return { publicUrl: new URL(config.publicUrl), version: zulipVersion, startedAt: clock(), clock }
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
  const password = randomBytes(12).toString('base64url')
  const { result } = await createOrganization(app.realms.connections, {
    name: config.organization,
    subdomain: '',
    ownerEmail: config.ownerEmail,
    ownerName: 'Owner',
    password,
    now: site.clock(),
  })
  const file = join(config.dataDirectory, 'zuliprc')
  const rc = zuliprc(config.ownerEmail, result.key, site.publicUrl.origin)
  await writeFile(file, rc, { mode: 0o600 })
  say(`Rookery serves the new organization ${config.organization}.

  address   ${site.publicUrl.origin}
  e-mail    ${config.ownerEmail}
  password  ${password}

The password is not shown again. Clients that use an API key find one in ${file}.`)
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

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
