import { sql } from 'kysely'
import type { RequestInfo } from '../../../../http/endpoint.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import { noticeLogin } from '../mail/login-notice.ts'
import { sessionLimits } from '../sessions/limits.ts'
import { takeUsualHours } from '../users/usual-hours.ts'
import { forgiveAttempts } from './attempts.ts'
import { browserName } from './browser-name.ts'
import { type Login, wrongPassword } from './check-login.ts'
import { checkRealmActive, checkUserActive } from './login-context.ts'

/**
 * Records a login in the same change as its effects, and lists it under the user's recent logins. Throws 401 if the
 * user was deactivated, or got another password, in the meantime.
 */
export async function confirmLogin(
  change: Change,
  site: Site,
  { user, method, passwordHash }: Login,
  request: RequestInfo,
  username: string = user.delivery_email,
) {
  const { state, now } = change
  checkRealmActive(state)
  checkUserActive(state.users.get(user.id))
  change.actFor(user.id)
  if (passwordHash !== undefined && !(await isCurrentPassword(change, user.id, passwordHash)))
    throw wrongPassword()
  for (const name of [username, user.delivery_email]) await forgiveAttempts(change, name, request.ip)
  const client = browserName(request)
  const login = await change.insert('login', { user_id: user.id, method, client, ip: request.ip, at: now })
  await noticeLogin(change, login)
  await takeUsualHours(change, site, login, request)
  request.login = { userId: user.id, method }
  await change.run(sql`
    DELETE FROM login WHERE realm_id = ${state.id} AND user_id = ${user.id} AND id <= (
      SELECT id FROM login WHERE realm_id = ${state.id} AND user_id = ${user.id}
      ORDER BY id DESC OFFSET ${sessionLimits.loginsKept} LIMIT 1)`)
}

/**
 * Returns whether the password is still the one with this hash. A new password ends the sessions of users of the old one, and a
 * concurrent request with the old one must neither start another nor set a password.
 */
export async function isCurrentPassword(
  change: Change,
  userId: number,
  passwordHash: string,
): Promise<boolean> {
  const same = await change.run(sql`
    SELECT 1 FROM credential
    WHERE realm_id = ${change.state.id} AND user_id = ${userId} AND password_hash = ${passwordHash}`)
  return same.length > 0
}
