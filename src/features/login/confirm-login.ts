import { sql } from 'kysely'
import type { RequestInfo } from '../../http/endpoint.ts'
import { limits } from '../../lib/limits.ts'
import type { Change } from '../../log/change.ts'
import { noticeLogin } from '../mail/login-notice.ts'
import { forgiveAttempts } from './attempts.ts'
import { browserName } from './browser-name.ts'
import { checkRealmActive, checkUserActive, type Login } from './check-login.ts'

/**
 * Makes a login count: what is done with it is done in the same change. Its person finds it among their newest logins.
 * Throws 401 if they were deactivated meanwhile.
 */
export async function confirmLogin(
  change: Change,
  { user, method }: Login,
  request: RequestInfo,
  username: string = user.delivery_email,
) {
  const { state, now } = change
  checkRealmActive(state)
  checkUserActive(state.users.get(user.id))
  await forgiveAttempts(change, username)
  const client = browserName(request)
  const login = await change.insert('login', { user_id: user.id, method, client, ip: request.ip, at: now })
  await noticeLogin(change, login)
  await change.run(sql`
    DELETE FROM login WHERE realm_id = ${state.id} AND user_id = ${user.id} AND id <= (
      SELECT id FROM login WHERE realm_id = ${state.id} AND user_id = ${user.id}
      ORDER BY id DESC OFFSET ${limits.loginsKept} LIMIT 1)`)
}
