import type { Secrets } from './secrets/sealed.ts'
import type { Siblings } from './siblings.ts'

/** The server as its organizations and clients see it: its address, version and clock, and what it offers. */
export type Site = {
  /** The public address without a path, e.g. https://chat.example.org. */
  publicUrl: URL
  version: string
  startedAt: number
  /** Whether organizations may have channels that can be read without logging in. */
  webPublicChannels: boolean
  /** Whether organizations may have this server read the pages that messages link to, for previews of them. */
  linkPreviews: boolean
  /** Whether there are bots whose code is part of the server. */
  embeddedBots: boolean
  /** How many MiB the uploads of an organization may take; unlimited if absent. */
  uploadQuotaMib?: number | undefined
  /** The domain of the addresses whose mail the server takes; absent if it takes none. */
  mailInDomain?: string | undefined
  /** Encrypts what the database stores and must not reveal. */
  secrets: Secrets
  /** The other workers of this server, if it has several. */
  siblings?: Siblings | undefined
  /** Seconds since 1970. */
  clock(): number
}

/** Returns the URL of an organization: the public address, or a host name below it. */
export function realmUrl(site: Site, realm: { subdomain: string }): string {
  return `${site.publicUrl.protocol}//${realmAddress(site, realm)}`
}

/** Returns the address of an organization as people write it: its host, with the port if that is not the usual one. */
export function realmAddress(site: Site, { subdomain }: { subdomain: string }): string {
  const { host } = site.publicUrl
  return subdomain ? `${subdomain}.${host}` : host
}

/** Returns an organization's host without port: the domain of bots' email addresses, and of those that stand in for hidden ones. */
export function realmHost(site: Site, realm: { subdomain: string }): string {
  const { hostname } = site.publicUrl
  return realm.subdomain ? `${realm.subdomain}.${hostname}` : hostname
}

/**
 * Returns the name of the organization that a Host header asks for. Any host that is not below the public one selects the organization with the
 * empty name, so that it can be reached by IP address or from inside the network as well.
 */
export function subdomainOf(site: Site, host: string | undefined): string {
  const asked = hostNameOf(host)
  const suffix = `.${site.publicUrl.hostname}`
  return asked.endsWith(suffix) ? asked.slice(0, -suffix.length) : ''
}

/** Whether a Host header asks for the public host or for an organization below it. */
export function isBelowPublicHost(site: Site, host: string | undefined): boolean {
  return hostNameOf(host) === site.publicUrl.hostname || subdomainOf(site, host) !== ''
}

function hostNameOf(host = ''): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

/** Whether an organization may have this name in front of the public host name. */
export function isSubdomain(name: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name)
}
