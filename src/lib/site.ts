import type { Secrets } from './sealed.ts'

/** Where this server is, as clients see it, and what it is called. */
export type Site = {
  /** The public address without a path, e.g. https://chat.example.org. */
  publicUrl: URL
  version: string
  startedAt: number
  /** Whether organizations may have channels that can be read without logging in. */
  webPublicChannels: boolean
  /** Whether there are bots whose code is part of the server. */
  embeddedBots: boolean
  /** How many MiB the uploads of an organization may take; without it, there is no limit. */
  uploadQuotaMib?: number | undefined
  /** Seals what the database is to keep and not to give away. */
  secrets: Secrets
  /** Seconds since 1970. */
  clock(): number
}

/** The address of an organization: the public one, or NAME. in front of it. */
export function realmUrl(site: Site, realm: { subdomain: string }): string {
  const { protocol, host } = site.publicUrl
  return `${protocol}//${realm.subdomain ? `${realm.subdomain}.` : ''}${host}`
}

/** The domain of bots' addresses and of those that stand in for hidden ones: the organization's host without port. */
export function realmHost(site: Site, realm: { subdomain: string }): string {
  const { hostname } = site.publicUrl
  return realm.subdomain ? `${realm.subdomain}.${hostname}` : hostname
}

/**
 * The name of the organization that a Host header asks for. Any host that is not below the public one gets the first
 * organization, so that it can be reached by number or from inside as well.
 */
export function subdomainOf(site: Site, host: string | undefined): string {
  const asked = (host ?? '').replace(/:\d+$/, '').toLowerCase()
  const suffix = `.${site.publicUrl.hostname}`
  return asked.endsWith(suffix) ? asked.slice(0, -suffix.length) : ''
}

/** Whether an organization may have this name in front of the public host name. */
export function isSubdomain(name: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)
}
