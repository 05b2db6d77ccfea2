import type { FastifyRequest } from 'fastify'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { parseForm } from '../body/form.ts'
import { queryOf } from '../connection/head.ts'
import { missing } from '../params.ts'
import { authenticate, authenticateKey, type Caller, checkActive } from './authenticate.ts'
import { checkSameOrigin, sessionOf } from './session.ts'

/** The path prefix of the API's operations for browsers, which accepts only sessions. */
export const sessionPrefix = '/json'

/** Whether a path has this prefix. */
export function isForSessions(path: string): boolean {
  return path.startsWith(`${sessionPrefix}/`)
}

/** Whether a path is for programs, so that no response on it is a page for people, not even an error. */
export function isForPrograms(path: string): boolean {
  return path.startsWith('/api/') || isForSessions(path)
}

/**
 * Returns the caller by HTTP Basic, or else by the browser's session; null if the request has neither. Throws 401 for bad credentials, and
 * 403 for a change that a page of another site requests.
 */
export function callerOf(state: RealmState, site: Site, request: FastifyRequest): Caller | null {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined && !isForSessions(request.url)) return authenticate(state, authorization)
  const session = sessionOf(state, site, cookie)
  const user = session && state.users.get(session.user_id)
  if (!session || !user) return null
  checkActive(state, user)
  if (!isSafe(request.method)) checkSameOrigin(site, request.headers)
  return { user, session }
}

/** Returns the caller whose API key the query has. Throws 400 if it has none, and 401 for a bad one. */
export function callerByQuery(state: RealmState, url: string): Caller {
  const key = parseForm(queryOf(url) ?? '').get('api_key')
  if (key === undefined) throw missing('api_key')
  return authenticateKey(state, key, 'INVALID_API_KEY')
}

/** Whether a request has valid credentials of any kind. */
export function hasValidCredentials(state: RealmState, site: Site, request: FastifyRequest): boolean {
  return [() => callerOf(state, site, request), () => callerByQuery(state, request.url)].some((look) => {
    try {
      return look() !== null
    } catch {
      return false
    }
  })
}

function isSafe(method: string) {
  return method === 'GET' || method === 'HEAD'
}
