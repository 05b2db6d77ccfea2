import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { csrfCookie, sessionCookie } from '../../../http/callers/session.ts'
import { command } from '../../../http/endpoint.ts'
import { missing, text } from '../../../http/params.ts'
import { CookieAnswer } from '../../../http/responses/answer-kinds.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'
import type { Login } from '../kernel/login/check-login.ts'
import { confirmLogin } from '../kernel/login/confirm-login.ts'
import { checkRealmActive, checkUserActive } from '../kernel/login/login-context.ts'
import { signedInCookie } from '../kernel/sessions/known-organizations.ts'
import { startSession } from '../kernel/sessions/sessions.ts'

export const devFetchApiKey = command('POST /dev_fetch_api_key', {
  summary: 'Create an API key and start a session without a password, on development servers only',
  access: allowAnonymous,
  params: { username: text({ trim: true }).optional() },
  returns: { api_key: z.string(), email: z.string(), user_id: z.int() },
  async handle(context) {
    const { realm, site, params, adapters, request, commit } = context
    // On other servers this endpoint does not exist.
    if (!adapters.signOn?.isDevelopment) throw new ApiError('Page not found', 'NOT_FOUND', 404)
    if (params.username === undefined) throw missing('username')
    checkRealmActive(realm)
    const user = realm.userByEmail(params.username.toLowerCase())
    if (!user || user.is_system_bot) {
      throw new ApiError('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401)
    }
    const login: Login = { user: checkUserActive(user), method: 'development' }
    const isBot = user.bot_type !== null
    const { key, token } = await commit(async (change) => {
      const token = isBot ? undefined : await startSession(change, site, login, request)
      if (isBot) await confirmLogin(change, site, login, request)
      const key = await addApiKey(change, user.id, request.client, isBot ? site.secrets : undefined)
      return { key, token }
    })
    // go-zulip's own tests continue with the session (level 407).
    const cookies =
      token === undefined ? [] : [sessionCookie(site, token), csrfCookie(site), signedInCookie(context)]
    return new CookieAnswer({ api_key: key, email: user.delivery_email, user_id: user.id }, cookies)
  },
})
