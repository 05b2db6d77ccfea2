import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SessionRow } from '../../db/schema.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hashKey } from '../../lib/secrets/hash-key.ts'
import { isSameSecret } from '../../lib/secrets/is-same-secret.ts'
import { realmUrl, type Site, subdomainOf } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { httpLimits } from '../limits.ts'
import type { Cookie } from '../responses/answer-kinds.ts'
import { cookieOf } from '../responses/pages.ts'

/** The session that a Cookie header names, checked in memory; undefined if there is none, or it is too old. */
export function sessionOf(
  state: RealmState,
  site: Site,
  cookies: string | undefined,
): SessionRow | undefined {
  const token = cookieOf(cookies, cookieName(site))
  const session = token && state.sessionByHash(hashKey(token))
  return session && !hasEnded(session, site.clock()) ? session : undefined
}

/** Whether a Cookie header has the token of a session, valid or not. */
export function hasSessionCookie(site: Site, cookies: string | undefined): boolean {
  return Boolean(cookieOf(cookies, cookieName(site)))
}

/** Whether a session has expired by age or disuse. */
export function hasEnded({ created_at, last_used_at }: SessionRow, now: number): boolean {
  return (
    now >= created_at + httpLimits.sessionDays * 86_400 ||
    now >= last_used_at + httpLimits.sessionIdleDays * 86_400
  )
}

/** The cookie that carries a session's token. */
export function sessionCookie(site: Site, token: string): Cookie {
  return {
    name: cookieName(site),
    value: token,
    seconds: httpLimits.sessionDays * 86_400,
    secure: isSecure(site),
  }
}

/**
 * The cookie that tells the web client whose session this is before its first request: it shows the state of the last visit to the same
 * user only. It gives no access. Without a user, the cookie is removed.
 */
export function userCookie(site: Site, userId: number | undefined): Cookie {
  return {
    name: 'rookery-user',
    value: userId === undefined ? '' : String(userId),
    seconds: userId === undefined ? 0 : httpLimits.sessionDays * 86_400,
    secure: isSecure(site),
    isReadable: true,
  }
}

/** The cookie that removes the session. */
export function noSessionCookie(site: Site): Cookie {
  return { name: cookieName(site), value: '', seconds: 0, secure: isSecure(site) }
}

export function isSecure(site: Site): boolean {
  return site.publicUrl.protocol === 'https:'
}

/** A token that a client sends back in the header X-CSRFToken, for programs that use a session as Django's clients do. */
export function csrfCookie(site: Site): Cookie {
  const value = randomBytes(32).toString('hex')
  return { name: 'csrftoken', value, seconds: httpLimits.sessionDays * 86_400, secure: isSecure(site) }
}

/**
 * Throws 403 unless a request comes from a page of this organization. Browsers tell that by Sec-Fetch-Site, and older ones and those on
 * plain http by Origin. A request with neither header comes from a program, which must send the value of the cookie `csrftoken` in a
 * header, as no page of another site can.
 */
export function checkSameOrigin(site: Site, headers: IncomingHttpHeaders) {
  const { origin, host } = headers
  const from = headers['sec-fetch-site']
  if (from !== undefined) {
    if (from !== 'same-origin') throw csrfFailed(`the request comes from elsewhere (${from})`)
    return
  }
  if (origin === undefined && hasCsrfToken(headers)) return
  if (origin === undefined) throw csrfFailed('the request does not say where it comes from')
  const isOurs =
    origin === realmUrl(site, { subdomain: subdomainOf(site, host) }) ||
    (URL.canParse(origin) && new URL(origin).host === host)
  if (!isOurs) throw csrfFailed('the request comes from elsewhere')
}

function hasCsrfToken({ cookie, 'x-csrftoken': sent }: IncomingHttpHeaders) {
  const token = cookieOf(cookie, 'csrftoken')
  return token !== undefined && token !== '' && isSameSecret(String(sent ?? ''), token)
}

// On https, no other name below the same domain can set a cookie that browsers send under this one.
function cookieName(site: Site): string {
  return isSecure(site) ? '__Host-rookery' : 'rookery'
}

function csrfFailed(reason: string) {
  return new ApiError(`CSRF error: ${reason}`, 'CSRF_FAILED', 403, { reason })
}
