import { z } from 'zod'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { CookieAnswer } from '../../../http/responses/answer-kinds.ts'
import { checkLogin } from '../kernel/login/check-login.ts'
import { loginCookies } from '../kernel/sessions/known-organizations.ts'
import { refuseOtherSites } from '../kernel/sessions/refuse-other-sites.ts'
import { startSession } from '../kernel/sessions/sessions.ts'

export const logIn = command('POST /rookery/session', {
  summary: 'Log in with an email address and password and start a browser session',
  access: allowAnonymous,
  params: { email: text({ trim: true }).alias('username'), password: text() },
  returns: { user_id: z.int(), email: z.string() },
  async handle(context) {
    const { site, params, request, commit } = context
    refuseOtherSites(site, request)
    const login = await checkLogin(context, params.email, params.password)
    const token = await commit((change) => startSession(change, site, login, request, params.email))
    const { id, delivery_email } = login.user
    return new CookieAnswer({ user_id: id, email: delivery_email }, loginCookies(context, token, id))
  },
})
