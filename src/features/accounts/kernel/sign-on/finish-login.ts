import type { CommandContext } from '../../../../http/endpoint.ts'
import { RedirectAnswer } from '../../../../http/responses/answer-kinds.ts'
import { addApiKey } from '../../../bots/kernel/login/api-keys.ts'
import type { Login } from '../login/check-login.ts'
import { confirmLogin } from '../login/confirm-login.ts'
import { loginCookies } from '../sessions/known-organizations.ts'
import { startSession } from '../sessions/sessions.ts'
import { mobileLoginUrl } from './mobile-login.ts'
import { safeNext } from './safe-next.ts'

/** The target of a browser that came to log in: a page, or the mobile client that opened it. */
export type LoginRedirect = { next: string | undefined; otp: string | undefined }

/** Completes a login in a browser with a session, or with an API key that only the mobile client can read. */
export async function finishLogin(
  context: Pick<CommandContext, 'realm' | 'site' | 'request' | 'commit'>,
  login: Login,
  { next, otp }: LoginRedirect,
  username?: string,
): Promise<RedirectAnswer> {
  const { realm, site, request, commit } = context
  const { user } = login
  if (otp === undefined) {
    const token = await commit((change) => startSession(change, site, login, request, username))
    return new RedirectAnswer(safeNext(next), { cookies: loginCookies(context, token, user.id) })
  }
  const key = await commit(async (change) => {
    await confirmLogin(change, site, login, request, username)
    return addApiKey(change, user.id, 'ZulipMobile')
  })
  return new RedirectAnswer(mobileLoginUrl(realm, site, user, key, otp))
}
