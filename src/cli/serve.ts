import { rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import { createOrganization, firstChannels } from '../features/realm/create-organization.ts'
import { type Config, defaultPublicUrl } from '../lib/config.ts'
import type { Site } from '../lib/site.ts'
import { outsideOf, siteOf } from './context.ts'
import { openDatabase } from './database.ts'
import { endInOrder } from './life.ts'
import { say } from './output.ts'
import { newPassword } from './password.ts'
import { logInsteadOfPrinting } from './printing.ts'
import { secretsOf } from './secret.ts'
import { zuliprc } from './zuliprc.ts'

/** Starts the server, which then runs until it is told to stop. */
export async function serve(config: Config) {
  const logger = pino({ level: config.logLevel })
  logInsteadOfPrinting(logger)
  const starting = start(config, logger)
  const forget = endInOrder(logger, async () => {
    const stop = await starting.catch(() => undefined)
    await stop?.()
  })
  await starting.catch((error) => {
    forget()
    throw error
  })
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
    const site = siteOf(config, await secretsOf(config))
    app = buildApp({ ...config, databaseUrl: database.url, site, outside: outsideOf(config), logger })
    // The organization is there before the first request can come.
    const made = await makeFirstOrganization(app, config, site)
    await listen(app, config, site)
    await greet(app, config, site, made)
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

type Made = { password: string; key: string }

/** On the very first start: the first organization, and what its owner logs in with. */
async function makeFirstOrganization(app: App, config: Config, site: Site): Promise<Made | undefined> {
  if (await firstOrganization(app)) return undefined
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
  return { password, key: result.key }
}

/** Says where the server is, and who may log in if that is news. */
async function greet(app: App, config: Config, site: Site, made: Made | undefined) {
  const address = site.publicUrl.origin
  if (!made) {
    const { name } = (await firstOrganization(app))!
    say(`Rookery serves ${name} at ${address}, with the data of earlier starts.`)
    return
  }
  say(`Rookery serves the new organization ${config.organization}.

  address   ${address}
  e-mail    ${config.ownerEmail}
  password  ${made.password}`)
  const file = join(config.dataDirectory, 'zuliprc')
  // Made anew: the mode would not be that of a file which stands there already.
  await rm(file, { force: true })
  await writeFile(file, zuliprc(config.ownerEmail, made.key, address), { mode: 0o600, flag: 'wx' })
  say(`\nThe password is not shown again. Clients that use an API key find one in ${file}.`)
}

function firstOrganization({ realms }: App) {
  const { read } = realms.connections
  return read.selectFrom('realm').where('subdomain', '=', '').select('name').executeTakeFirst()
}
