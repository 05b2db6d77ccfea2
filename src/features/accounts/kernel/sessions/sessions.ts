import { randomBytes } from 'node:crypto'
import { hasEnded } from '../../../../http/callers/session.ts'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import { hashKey } from '../../../../lib/secrets/hash-key.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import { browserName } from '../login/browser-name.ts'
import type { Login } from '../login/check-login.ts'
import { confirmLogin } from '../login/confirm-login.ts'
import { sessionLimits } from './limits.ts'

/**
 * Starts a session for a user who has logged in. Returns its token, of which only a hash is stored. Deletes expired
 * sessions, and the oldest ones if there are too many.
 */
export async function startSession(
  change: Change,
  site: Site,
  login: Login,
  request: RequestInfo,
  username?: string,
): Promise<string> {
  await confirmLogin(change, site, login, request, username)
  const { now } = change
  const { id } = login.user
  await makeRoom(change, id)
  const token = randomBytes(32).toString('base64url')
  await change.insert('session', {
    user_id: id,
    client: browserName(request),
    hash: hashKey(token),
    created_at: now,
    last_used_at: now,
  })
  return token
}

async function makeRoom(change: Change, userId: number) {
  const sessions = [...change.state.sessionsOfUser(userId)].sort((a, b) => b.id - a.id)
  const kept = sessions
    .filter((one) => !hasEnded(one, change.now))
    .slice(0, sessionLimits.sessionsPerUser - 1)
  await change.deleteAll('session', keysOf(sessions.filter((one) => !kept.includes(one))))
}

/** Ends the user's sessions except the given one, if any. */
export async function endSessions(change: Change, userId: number, except: number | null = null) {
  const sessions = [...change.state.sessionsOfUser(userId)].filter(({ id }) => id !== except)
  await change.deleteAll('session', keysOf(sessions))
}

function keysOf(rows: { id: number }[]) {
  return rows.map(({ id }) => ({ id }))
}
