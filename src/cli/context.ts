import type { Adapters } from '../adapters/adapters.ts'
import { BigBlueButton } from '../adapters/big-blue-button.ts'
import { smtpTransport } from '../adapters/mail/smtp.ts'
import { PushRelay } from '../adapters/push-relay.ts'
import { safeFetch } from '../adapters/safe-fetch.ts'
import { signOnOf } from '../adapters/sign-on/configured-sign-on.ts'
import { Zoom } from '../adapters/zoom.ts'
import type { Config } from '../config/config.ts'
import { Databases } from '../db/databases.ts'
import type { AccountRow } from '../db/schema.ts'
import { allConsequences } from '../features/index.ts'
import { systemClock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets/sealed.ts'
import type { Site } from '../lib/site.ts'
import { productVersion } from '../lib/version.ts'
import { createNodeNotifier } from '../log/nodes/create-node-notifier.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import { Realms } from '../log/realms.ts'
import type { CommandConfig } from './command.ts'
import { joinDatabase } from './database/database.ts'
import { configuredFiles } from './files.ts'
import { remark } from './output.ts'
import { knownSecretsOf } from './secret.ts'

/**
 * Runs a command's work as one more node on the database, so that its servers receive the changes immediately. Our own
 * PostgreSQL is started for it, and stopped afterwards, if no server runs.
 */
export async function withRealms<T>(
  config: CommandConfig,
  work: (realms: Realms, site: Site) => Promise<T>,
): Promise<T> {
  const database = await joinDatabase(config, remark)
  const site = siteOf(config, await knownSecretsOf(config))
  const databases = Databases.connect({ databaseUrl: database.url, databases: config.databases }, 4)
  const { secrets } = site
  const where = { databaseUrl: database.url, natsUrl: config.natsUrl, secrets, follows: 'none' as const }
  const options = { clock: site.clock, consequences: allConsequences(site), actor: config.actor }
  const realms = new Realms(databases, createNodeNotifier(where, databases.main), options)
  try {
    return await work(realms, site)
  } finally {
    await realms.close()
    await databases.close()
    await database.close()
  }
}

/** Runs the work in one organization: the one of that name, or the first one. */
export function withRealm<T>(
  config: CommandConfig,
  name: string | undefined,
  work: (realm: RealmLog, site: Site, realms: Realms) => Promise<T>,
): Promise<T> {
  return withRealms(config, async (realms, site) => work(await realmNamed(realms, name ?? ''), site, realms))
}

/** The option of commands that work in one organization. */
export const realmOption = { value: 'NAME', help: 'the organization; without it, the first one' }

/** Returns this server's address and settings. */
export function siteOf(config: Config, secrets: Secrets): Site {
  const { webPublicChannels, linkPreviews, embeddedBots, uploadQuotaMib, mailInDomain } = config
  const publicUrl = new URL(config.publicUrl)
  return {
    publicUrl,
    version: productVersion,
    startedAt: systemClock(),
    webPublicChannels,
    linkPreviews,
    embeddedBots,
    uploadQuotaMib,
    mailInDomain,
    secrets,
    clock: systemClock,
  }
}

/** Returns this server's external services. */
export function adaptersOf(config: Config): Adapters {
  const { smtpUrl, webhooksPrivate } = config
  return {
    files: configuredFiles(config),
    fetch: safeFetch(),
    webhookFetch: webhooksPrivate ? safeFetch({ mayReach: () => true }) : safeFetch(),
    bigBlueButton: bigBlueButtonOf(config),
    zoom: zoomOf(config),
    signOn: signOnOf(config),
    push: pushRelayOf(config),
    mail: smtpUrl === undefined ? undefined : smtpTransport(smtpUrl, mailAddressOf(config)),
  }
}

function bigBlueButtonOf({ bigBlueButtonUrl: url, bigBlueButtonSecret: secret }: Config) {
  if (url === undefined || secret === undefined) return undefined
  // The operator chose the address, so it may be private.
  return new BigBlueButton(url, secret, safeFetch({ mayReach: () => true }))
}

function zoomOf({
  zoomClientId: clientId,
  zoomClientSecret: clientSecret,
  zoomUrl: url,
  zoomApiUrl: apiUrl,
}: Config) {
  if (clientId === undefined || clientSecret === undefined) return undefined
  // The operator chose the address, so it may be private.
  return new Zoom({ clientId, clientSecret, url, apiUrl }, safeFetch({ mayReach: () => true }))
}

function pushRelayOf({ pushRelayUrl: url, pushRelayKey: key, pushClearText }: Config) {
  // The operator chose the address, so it may be private.
  return url === undefined
    ? undefined
    : new PushRelay(url, key, pushClearText, safeFetch({ mayReach: () => true }))
}

/** The address that mails come from. */
export function mailAddressOf({ mailFrom, publicUrl }: Config): string {
  const { hostname } = new URL(publicUrl)
  return mailFrom ?? `noreply@${/^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname}`
}

/** Returns the user or bot with an address. */
export function userOf(state: RealmState, email: string): AccountRow {
  const user = state.userByEmail(email.toLowerCase())
  if (!user || user.is_system_bot) throw new Error(nobodyWith(email, state.row.name))
  return user
}

/** Returns the user or bot with an address, who must be active. */
export function activeUserOf(state: RealmState, email: string): AccountRow {
  const user = userOf(state, email)
  if (user.is_active) return user
  throw new Error(`${email} is deactivated; rookery user reactivate ${email} undoes that.`)
}

export function nobodyWith(email: string, organization: string): string {
  return `There is nobody with the address ${email} in ${organization}; rookery user list shows who there is.`
}

async function realmNamed(realms: Realms, name: string): Promise<RealmLog> {
  const realm = await realms.bySubdomain(name)
  if (realm) return realm
  throw noSuchRealm(name)
}

export function noSuchRealm(name: string) {
  return new Error(
    name === ''
      ? 'No organization is at the public host itself: name another with --realm NAME (rookery realm list shows them). If there is none, the first start of the server makes one.'
      : `There is no organization ${name}; rookery realm list shows those that there are.`,
  )
}
