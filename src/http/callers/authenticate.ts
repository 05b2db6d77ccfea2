import type { AccountRow, ApiKeyRow, SessionRow } from '../../db/schema.ts'
import { ApiError, badRequest } from '../../lib/api-error.ts'
import { hashKey } from '../../lib/secrets/hash-key.ts'
import { isSameSecret } from '../../lib/secrets/is-same-secret.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { notLoggedIn } from '../access.ts'
import { httpLimits } from '../limits.ts'

/** The authenticated caller, with their API key or session. */
export type Caller = { user: AccountRow; key?: ApiKeyRow; session?: SessionRow }
type KeyCaller = { user: AccountRow; key: ApiKeyRow }

/**
 * Returns the account and key of an Authorization header (HTTP Basic: email and API key), which it checks in memory. Throws 401 for bad
 * credentials, and 400 for a scheme other than Basic.
 */
export function authenticate(state: RealmState, header: string | undefined): Caller {
  if (header === undefined) throw notLoggedIn()
  const hash = hashKey(header)
  const known = callerByHeader.get(hash)
  if (known && isUnchanged(state, known)) {
    checkActive(state, known.user)
    return known
  }
  const { email, key } = parseBasic(header)
  const caller = authenticateKey(state, key)
  if (caller.user.delivery_email.toLowerCase() !== email.toLowerCase()) throw unauthorized('Invalid API key')
  if (callerByHeader.size >= httpLimits.rememberedLogins) callerByHeader.clear()
  callerByHeader.set(hash, caller)
  return caller
}

/** The callers whose Authorization headers were valid, by the hash of the header: to decode and check a header takes twice as long. */
const callerByHeader = new Map<string, KeyCaller>()

/** Whether a caller's account and key are still as they were. */
function isUnchanged({ users, apiKeys }: RealmState, { user, key }: KeyCaller): boolean {
  return users.get(user.id) === user && apiKeys.get(key.id) === key
}

/** Returns the account with this API key. Throws 401, with `code` if there is no such key. */
export function authenticateKey(state: RealmState, key: string, code = 'UNAUTHORIZED'): KeyCaller {
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw unauthorized('Malformed API key', code)
  const hash = hashKey(key)
  const found = state.apiKeyByHash(hash)
  const user = found && state.users.get(found.user_id)
  if (!found || !user || !isSameSecret(hash, found.hash)) throw unauthorized('Invalid API key', code)
  checkActive(state, user)
  return { user, key: found }
}

/**
 * Throws 401 if the caller's key or session has ended since, or their account is deactivated. A user who was connected
 * while the organization was deactivated may still receive that event.
 */
export function checkCallerIsValid(state: RealmState, { user, key, session }: Caller) {
  if (!state.users.get(user.id)?.is_active) throw unauthorized('Account is deactivated')
  if (key && !state.apiKeys.get(key.id)) throw unauthorized('Invalid API key')
  if (session && !state.sessions.get(session.id)) throw notLoggedIn()
}

/** Throws 401 if the account or its organization is deactivated. */
export function checkActive(state: RealmState, user: AccountRow) {
  if (!user.is_active) throw unauthorized('Account is deactivated')
  if (state.row.is_deactivated) throw unauthorized('This organization has been deactivated')
}

/** Returns the email address in an Authorization header, whether or not its key is valid. */
export function emailIn(header: string | undefined): string | undefined {
  return header !== undefined && isBasic(header) ? credentialsIn(header)?.email : undefined
}

function parseBasic(header: string) {
  if (!isBasic(header)) throw badRequest('This endpoint requires HTTP basic authentication.')
  const credentials = credentialsIn(header)
  if (!credentials) throw unauthorized('Invalid authorization header for basic auth')
  return credentials
}

function isBasic(header: string): boolean {
  return /^basic( |$)/i.test(header)
}

function credentialsIn(header: string): { email: string; key: string } | undefined {
  const [, encoded = ''] = header.split(' ')
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon < 0 ? undefined : { email: decoded.slice(0, colon), key: decoded.slice(colon + 1) }
}

function unauthorized(message: string, code = 'UNAUTHORIZED') {
  return new ApiError(message, code, 401)
}
