import { botTypes } from '../db/bot-types.ts'
import { roles } from '../db/roles.ts'
import type { AccountRow } from '../db/schema.ts'
import { ApiError, badRequest } from '../lib/api-error.ts'
import type { Access } from './endpoint.ts'

/** No login required; credentials, good or bad, are ignored. */
export const allowAnonymous: Access<null> = () => null

/** No login required; the caller is the current user or null. Bad credentials count as none. */
export const optionalUser: Access<AccountRow | null> = (_, me) => me

/** Any logged-in user, including incoming webhook bots, which only send messages. */
export const requireSender: Access<AccountRow> = (_, me) => {
  if (!me) throw notLoggedIn()
  return me
}

/** Any logged-in user, except incoming webhook bots. */
export const requireUser: Access<AccountRow> = (state, caller) => {
  const me = requireSender(state, caller)
  if (me.bot_type === botTypes.incomingWebhook) {
    throw new ApiError('This API is not available to incoming webhook bots.', 'UNAUTHORIZED', 401)
  }
  return me
}

/** A person, not a bot. */
export const requireHuman: Access<AccountRow> = (state, caller) => {
  const me = requireUser(state, caller)
  if (me.bot_type !== null) throw badRequest('This endpoint does not accept bot requests.')
  return me
}

/** Any user except guests. */
export const requireMember: Access<AccountRow> = (state, caller) => {
  const me = requireUser(state, caller)
  if (me.role === roles.guest) throw badRequest('Not allowed for guest users')
  return me
}

/** A person, but not a guest. */
export const requireHumanMember: Access<AccountRow> = (state, caller) => {
  requireHuman(state, caller)
  return requireMember(state, caller)
}

export const requireAdministrator: Access<AccountRow> = (state, caller) => {
  const me = requireUser(state, caller)
  if (!isAdministrator(me)) throw unauthorizedPrincipal('Must be an organization administrator')
  return me
}

export const requireOwner: Access<AccountRow> = (state, caller) => {
  const me = requireUser(state, caller)
  if (me.role !== roles.owner) throw unauthorizedPrincipal('Must be an organization owner')
  return me
}

export function isAdministrator(user: AccountRow) {
  return user.role <= roles.administrator
}

export function unauthorizedPrincipal(message: string) {
  return new ApiError(message, 'UNAUTHORIZED_PRINCIPAL')
}

export function notLoggedIn() {
  return new ApiError('Not logged in: API authentication or user session required', 'UNAUTHORIZED', 401)
}
