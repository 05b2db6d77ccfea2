import { isIP } from 'node:net'
import { isSecure, sessionCookie, userCookie } from '../../../../http/callers/session.ts'
import type { CommandContext } from '../../../../http/endpoint.ts'
import type { Cookie } from '../../../../http/responses/answer-kinds.ts'
import { cookieOf } from '../../../../http/responses/pages.ts'
import { isBelowPublicHost, isSubdomain, type Site } from '../../../../lib/site.ts'
import { sessionLimits } from './limits.ts'

// A browser keeps the names of the organizations that it has signed in to, for the page that leads to them. They grant
// nothing: forged ones show what everyone may see of an organization.

const cookieName = 'rookery-organizations'

/** The organization at the public host has no name of its own. */
const root = '@'

/** Returns the names of the organizations in a Cookie header, the newest login first. Anything else in it is ignored. */
export function knownOrganizations(cookies: string | undefined): string[] {
  const value = cookieOf(cookies, cookieName) ?? ''
  if (value.length > sessionLimits.knownOrganizationsLength) return []
  const names = value.split('.').filter((name) => name === root || isSubdomain(name))
  return [...new Set(names)]
    .slice(0, sessionLimits.knownOrganizations)
    .map((name) => (name === root ? '' : name))
}

/** Returns the cookie that keeps these names, for all hosts of this server where browsers share it between them. */
export function knownOrganizationsCookie(site: Site, host: string | undefined, names: string[]): Cookie {
  return {
    name: cookieName,
    value: names
      .slice(0, sessionLimits.knownOrganizations)
      .map((name) => name || root)
      .join('.'),
    seconds: names.length > 0 ? sessionLimits.knownOrganizationsDays * 86_400 : 0,
    secure: isSecure(site),
    domain: sharedDomain(site, host),
  }
}

type Context = Pick<CommandContext, 'realm' | 'site' | 'request'>

/** Returns the cookies of a new session in a browser. */
export function loginCookies(context: Context, token: string, userId: number): Cookie[] {
  const { site } = context
  return [sessionCookie(site, token), userCookie(site, userId), signedInCookie(context)]
}

/** Returns the cookie that remembers a login to this organization. */
export function signedInCookie(context: Context): Cookie {
  return cookieWith(context, (subdomain, others) => [subdomain, ...others])
}

/** Returns the cookie without this organization, for a user who leaves it. */
export function leftCookie(context: Context): Cookie {
  return cookieWith(context, (_, others) => others)
}

function cookieWith(
  { realm, site, request }: Context,
  namesOf: (subdomain: string, others: string[]) => string[],
): Cookie {
  const { subdomain } = realm.row
  const others = knownOrganizations(request.header('cookie')).filter((name) => name !== subdomain)
  return knownOrganizationsCookie(site, request.header('host'), namesOf(subdomain, others))
}

/** Returns that cookie for a session that is older than the list, or that the list has forgotten. */
export function missingOrganization(context: Context): Cookie[] {
  const known = knownOrganizations(context.request.header('cookie'))
  return known.includes(context.realm.row.subdomain) ? [] : [signedInCookie(context)]
}

/** Browsers refuse a cookie for several hosts if their domain is an address or a name without a dot. */
function sharedDomain(site: Site, host: string | undefined): string | undefined {
  const { hostname } = site.publicUrl
  const isDomain = hostname.includes('.') && isIP(hostname) === 0
  return isDomain && isBelowPublicHost(site, host) ? hostname : undefined
}
