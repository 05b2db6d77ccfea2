import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import type { Zoom } from '../../../adapters/zoom.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { requireHuman } from '../../../http/access.ts'
import type { Access } from '../../../http/endpoint.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { hashKey } from '../../../lib/hash-key.ts'
import { limits } from '../../../lib/limits.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Whose browser is away at Zoom: somebody, in the session that they set out from. */
type OauthUser = { userId: number; sessionId: number | null }

/** Zoom, if this server knows it; 400 otherwise. */
export function zoomOf({ zoom }: Adapters): Zoom {
  if (zoom) return zoom
  throw badRequest('Zoom credentials have not been configured')
}

/** A person; or nobody, who is asked to log in. */
export const personOrNobody: Access<AccountRow | null> = (state, caller) =>
  caller && requireHuman(state, caller)

/** Where Zoom sends browsers back to. */
export function returnUrl(site: Site, realm: RealmState): string {
  return `${realmUrl(site, realm.realm)}/calls/zoom/complete`
}

/** Notes that a browser sets out; answers the state by which it is known again. */
export async function startOauth(change: Change, { userId, sessionId }: OauthUser): Promise<string> {
  const { id } = change.state
  await change.run(sql`
    DELETE FROM zoom_departure WHERE realm_id = ${id} AND user_id = ${userId} AND hash NOT IN (
      SELECT hash FROM zoom_departure
      WHERE realm_id = ${id} AND user_id = ${userId} AND expires_at >= ${change.now}
      ORDER BY expires_at DESC LIMIT ${limits.zoomDepartures - 1})`)
  const state = randomBytes(32).toString('base64url')
  await change.insert('zoom_departure', {
    hash: hashKey(state),
    user_id: userId,
    session_id: sessionId,
    expires_at: change.now + limits.signOnMinutes * 60,
  })
  return state
}

/** Whether this traveller set out with the state. It is of use once, to them alone, for some minutes. */
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
