import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import type { Zoom } from '../../../adapters/zoom.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { requireHuman } from '../../../http/access.ts'
import type { Access } from '../../../http/endpoint.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { signOnLimits } from '../../accounts/sign-on/limits.ts'
import { zoomLimits } from '../kernel/calls/limits.ts'

/** The user whose browser is at Zoom, and the session in which they started. */
type OauthUser = { userId: number; sessionId: number | null }

/** Returns the Zoom adapter if this server has one; throws 400 otherwise. */
export function zoomOf({ zoom }: Adapters): Zoom {
  if (zoom) return zoom
  throw badRequest('Zoom credentials have not been configured')
}

/** Allows a human user, or a caller who is not logged in, who is then asked to log in. */
export const humanOrAnonymous: Access<AccountRow | null> = (state, caller) =>
  caller && requireHuman(state, caller)

/** Returns the address to which Zoom redirects browsers. */
export function returnUrl(site: Site, realm: RealmState): string {
  return `${realmUrl(site, realm.row)}/calls/zoom/complete`
}

/** Stores the start of an OAuth request. Returns its state parameter, which identifies the browser on return. */
export async function startOauth(change: Change, { userId, sessionId }: OauthUser): Promise<string> {
  const { id } = change.state
  await change.run(sql`
    DELETE FROM zoom_departure WHERE realm_id = ${id} AND user_id = ${userId} AND hash NOT IN (
      SELECT hash FROM zoom_departure
      WHERE realm_id = ${id} AND user_id = ${userId} AND expires_at >= ${change.now}
      ORDER BY expires_at DESC LIMIT ${zoomLimits.zoomLogins - 1})`)
  const state = randomBytes(32).toString('base64url')
  await change.insert('zoom_departure', {
    hash: hashKey(state),
    user_id: userId,
    session_id: sessionId,
    expires_at: change.now + signOnLimits.signOnMinutes * 60,
  })
  return state
}

/**
 * Returns whether this user started with this OAuth state. A state is valid once, only for that user, for some minutes.
 */
export async function verifyOauthState(
  change: Change,
  state: string,
  { userId, sessionId }: OauthUser,
): Promise<boolean> {
  const rows = await change.run(sql`
    DELETE FROM zoom_departure
    WHERE realm_id = ${change.state.id} AND hash = ${hashKey(state)} AND user_id = ${userId}
      AND session_id IS NOT DISTINCT FROM ${sessionId}::integer AND expires_at >= ${change.now}
    RETURNING hash`)
  return rows.length > 0
}
