import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { allReplicas, allUrls } from '../../db/databases.ts'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { openFilesAllowed } from '../../lib/files/open-files.ts'
import { must } from '../../lib/must.ts'
import { isLocalHost } from '../../lib/network/is-local-host.ts'
import { lockDataDirectory, serverHolding } from '../../postgres/data-directory.ts'
import { hasOwn, lostFault, reachDatabase, restoreFault } from '../database/database.ts'
import { checkDiffer, checkPlaces } from '../database/database-places.ts'
import { withClient } from '../database/with-client.ts'
import { storeName } from '../files.ts'
import { openFilesFault } from '../open-files.ts'
import { ownerFiles } from '../organizations/first-start.ts'
import { remark } from '../output.ts'
import { checkAddress } from './address.ts'
import { checkBackup } from './backup.ts'
import { checkClockOutside } from './clock.ts'
import { checkDatabase, checkOther } from './database.ts'
import { checkDisk } from './disk.ts'
import { examineFiles } from './file-findings.ts'
import { checkOwners, checkUploads } from './file-owners.ts'
import { checkMailIn } from './mail-in.ts'
import { checkNats } from './nats.ts'
import { checkProgram } from './program.ts'
import { checkReplica } from './replica.ts'
import { checkPrivateFiles, checkSecret } from './secret.ts'
import { checkServices } from './services.ts'
import { missingGroups } from './sign-on.ts'

/** A finding in one line, and advice. */
export type Finding = { level: 'ok' | 'warn' | 'FAIL'; what: string; advice?: string }

/** Runs one check after the other. Each is independent: a failure does not stop the rest. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  yield* checkProgram()
  const directory = await checkDataDirectory(config)
  yield directory
  yield* checkOwners(config)
  yield* checkUploads(config)
  yield* checkOpenFiles(config)
  yield* checkDisk(config.dataDirectory)
  yield await checkBackup(config)
  yield await checkSecret(config)
  yield* checkPrivateFiles(config)
  yield* checkOwner(config)
  if (directory.level !== 'FAIL') yield* databaseOf(config)
  yield* checkNats(config)
  yield* checkServices(config)
  yield* checkMailIn(config)
  yield* checkClockOutside(config)
  yield* checkAddress(config)
  yield* checkProxy(config)
}

function asWarning(said: { what: string; advice: string }): Finding {
  return { level: 'warn', ...said }
}

/** Checks whether the first owner has chosen a password. */
async function* checkOwner(config: Config): AsyncGenerator<Finding> {
  const file = ownerFiles(config).link
  if (!(await stat(file).catch(() => undefined))) return
  const what = `the first owner has not chosen a password: the link for it is in ${file}`
  yield {
    level: 'warn',
    what,
    advice:
      'Open it in a browser. It works for an hour after the start of the server: start the server again for a new one.',
  }
}

async function checkDataDirectory({ dataDirectory }: Config): Promise<Finding> {
  const what = `the data directory ${dataDirectory}`
  const found = await stat(dataDirectory).catch(() => undefined)
  if (!found)
    return {
      level: 'warn',
      what: `${what} is not there yet`,
      advice:
        'The first start of the server makes it. If the server has its data elsewhere, name that directory with --data.',
    }
  if (!found.isDirectory())
    return { level: 'FAIL', what: `${what} is no directory`, advice: 'Set ROOKERY_DATA to another path.' }
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (codeOf(error) === 'EROFS') {
      const advice = 'The kernel also does this when a disk fails: see dmesg, and mount it anew.'
      return { level: 'FAIL', what: `${what} is on a disk that is mounted read-only`, advice }
    }
    const advice = 'Give it to the user who runs the server (chown), or set ROOKERY_DATA to another path.'
    return { level: 'FAIL', what: `${what} cannot be written by this user`, advice }
  }
  return {
    level: 'ok',
    what: `${what}, ${(await faultOfTaking(dataDirectory)) ? 'in use by a server' : 'in use by nobody'}`,
  }
}

/** Checks how many files the server that runs may have open. */
async function* checkOpenFiles({ dataDirectory }: Config): AsyncGenerator<Finding> {
  const server = serverHolding(await faultOfTaking(dataDirectory))
  const fault = server && openFilesFault(openFilesAllowed(server))
  if (fault) yield asWarning(fault)
}

/** Returns the error if the data directory cannot be taken, which says who has it. */
async function faultOfTaking(dataDirectory: string): Promise<unknown> {
  // The lock would be a new file, maybe of another user than the server's.
  if (!(await stat(join(dataDirectory, 'rookery.lock')).catch(() => undefined))) return undefined
  try {
    await (await lockDataDirectory(dataDirectory)).release()
    return undefined
  } catch (error) {
    return error
  }
}

async function databaseAndFiles(client: pg.Client, config: Config): Promise<Finding[]> {
  const findings = await checkDatabase(client, config)
  const ask = async (query: string) => (await client.query<{ path: string }>(query)).rows
  try {
    for await (const finding of examineFiles(config, ask)) findings.push(finding)
  } catch (error) {
    const advice = 'See that it can be reached and used with the settings of the server.'
    const what = `${storeName(config)} cannot be read: ${messageOf(error)}`
    findings.push({ level: 'FAIL', what, advice })
  }
  return findings
}

async function* databaseOf(config: Config): AsyncGenerator<Finding> {
  try {
    const unfinished = await restoreFault(config)
    if (unfinished) yield { level: 'FAIL', ...unfinished }
    if (config.databaseUrl === undefined && !(await hasOwn(config))) {
      if (unfinished) return
      const lost = await lostFault(config)
      if (lost) return yield { level: 'FAIL', ...lost }
      yield { level: 'warn', what: 'no database yet', advice: 'The first start of the server makes it.' }
      return
    }
    const database = await reachDatabase(config, remark)
    try {
      yield* await withClient(database.url, (client) => databaseAndFiles(client, config))
      yield* othersOf(config)
      const urls = allUrls({ ...config, databaseUrl: database.url })
      yield* placesIn(urls)
      yield* replicasOf(urls, config)
      yield* await missingGroups(urls, config).then(
        (missing) => missing.map(asWarning),
        () => [],
      )
    } finally {
      await database.close()
    }
  } catch (error) {
    const advice =
      config.databaseUrl === undefined
        ? `See ${join(config.dataDirectory, 'postgres.log')}.`
        : 'See that PostgreSQL runs there, and that DATABASE_URL is right.'
    yield { level: 'FAIL', what: messageOf(error), advice }
  }
}

async function* othersOf(config: Config): AsyncGenerator<Finding> {
  for (const [name, url] of config.databases ?? []) {
    try {
      yield* await withClient(url, (client) => checkOther(client, config, name, url))
    } catch (error) {
      const advice = 'See that PostgreSQL runs there, and that ROOKERY_DATABASES is right.'
      yield { level: 'FAIL', what: `database ${name}: ${messageOf(error)}`, advice }
    }
  }
}

async function* replicasOf(urls: ReadonlyMap<string, string>, config: Config): AsyncGenerator<Finding> {
  for (const [name, replica] of allReplicas(config)) {
    yield* await checkReplica({ name, replica, database: must(urls.get(name), 'database') }, config)
  }
}

/** Looks whether the databases say the same of where each organization is. */
async function* placesIn(urls: ReadonlyMap<string, string>): AsyncGenerator<Finding> {
  if (urls.size === 1) return
  try {
    await checkDiffer(urls)
    await checkPlaces(urls)
    yield { level: 'ok', what: 'each organization is in the database where main says that it is' }
  } catch (error) {
    const advice = 'See the guide, Organizations in several databases.'
    yield { level: 'FAIL', what: messageOf(error), advice }
  }
}

function* checkProxy(config: Config): Generator<Finding> {
  const { publicUrl, trustProxy, host, rateLimits, developmentLogin } = config
  const isSecure = publicUrl.startsWith('https:')
  const isLocal = isLocalHost(new URL(publicUrl).hostname)
  const isListeningToAll = !isLocalHost(host)
  if (isSecure || isLocal)
    yield {
      level: 'ok',
      what: isSecure ? 'the public address is encrypted' : 'the public address is this machine’s own',
    }
  else {
    const advice = 'Put a proxy with a certificate in front, and set ROOKERY_URL to its https:// address.'
    yield { level: 'warn', what: 'passwords and keys travel unencrypted to the public address', advice }
  }
  if (isSecure && !trustProxy) {
    const advice = 'Set ROOKERY_TRUST_PROXY=on if the proxy sets X-Forwarded-For.'
    yield { level: 'warn', what: 'all who are not logged in share one rate limit, that of the proxy', advice }
  }
  if (trustProxy && isListeningToAll) {
    const advice = 'Set HOST=127.0.0.1, or let only the proxy reach this port.'
    yield { level: 'warn', what: `clients that reach ${host} directly can pretend to be any address`, advice }
  }
  if (developmentLogin && (!isLocal || isListeningToAll)) {
    const advice = 'Leave out ROOKERY_DEVELOPMENT_LOGIN=on.'
    yield { level: 'FAIL', what: 'anyone can log in as any user, without a password', advice }
  }
  yield* checkMonitors(config)
  if (!rateLimits && !isLocal) {
    yield {
      level: 'warn',
      what: 'requests are not limited in number',
      advice: 'Leave out ROOKERY_RATE_LIMITS=off; rookery key exempt frees single keys.',
    }
  }
}

function* checkMonitors({ metricsHost, metricsPort, metricsToken }: Config): Generator<Finding> {
  const isLocal = isLocalHost(metricsHost)
  if (metricsPort === undefined || metricsToken !== undefined || isLocal) return
  const advice = 'Set ROOKERY_METRICS_TOKEN, or let only the monitor reach that port.'
  const what = `all who reach ${metricsHost} port ${metricsPort} can read the metrics`
  yield { level: 'warn', what, advice }
}
