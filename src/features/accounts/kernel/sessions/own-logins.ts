import type { Reader } from '../../../../db/database.ts'
import type { AccountRow } from '../../../../db/schema.ts'
import { hasEnded } from '../../../../http/callers/session.ts'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { sessionLimits } from './limits.ts'

/** Returns the user's live sessions, the newest first. Times of use are accurate to the day. */
export function ownSessions(realm: RealmState, site: Site, me: AccountRow, request: RequestInfo) {
  return [...realm.sessionsOfUser(me.id)]
    .filter((session) => !hasEnded(session, site.clock()))
    .sort((a, b) => b.id - a.id)
    .map(({ id, client, created_at, last_used_at }) => {
      return { id, client, created_at, last_used_at, is_current: id === request.sessionId }
    })
}

/** Returns the user's API keys, the newest first, without the keys themselves. */
export function ownKeys(realm: RealmState, me: AccountRow, request: RequestInfo) {
  return [...realm.apiKeysOfUser(me.id)]
    .sort((a, b) => b.id - a.id)
    .map(({ id, client, created_at, last_used_at }) => {
      return { id, client, created_at, last_used_at, is_current: id === request.keyId }
    })
}

/** Returns the user's newest logins, the newest first. */
export function ownLogins(read: Reader, me: AccountRow) {
  return read
    .selectFrom('login')
    .where('realm_id', '=', me.realm_id)
    .where('user_id', '=', me.id)
    .orderBy('id', 'desc')
    .limit(sessionLimits.loginsKept)
    .select(['method', 'client', 'ip', 'at'])
    .execute()
}
