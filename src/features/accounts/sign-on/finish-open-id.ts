import { sql } from 'kysely'
import type { SignOnRow } from '../../../db/schema.ts'
import { allowAnonymous } from '../../../http/access.ts'
import { command, type RequestInfo } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { cookieOf } from '../../../http/responses/pages.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import { isSameSecret } from '../../../lib/secrets/is-same-secret.ts'
import type { Commit } from '../../../log/realm-log.ts'
import { logRefusal } from '../kernel/login/log-refusal.ts'
import { accountFor } from '../kernel/sign-on/account-for.ts'
import { finishLogin } from '../kernel/sign-on/finish-login.ts'
import { browserCookie, browserCookieName, callbackUrl } from './login-browser.ts'
import { openIdOf, orLoginCanceled } from './open-id.ts'

// The parameters that providers return. They are checked as a whole.
const sentBack = ['code', 'state', 'iss', 'session_state', 'error', 'error_description', 'error_uri', 'scope']

export const finishOpenId = command('GET /login/openid/callback', {
  summary: 'Complete an OpenID Connect login',
  root: true,
  access: allowAnonymous,
  params: Object.fromEntries(sentBack.map((name) => [name, text().optional()])),
  returns: {},
  async handle(context) {
    const { realm, site, adapters, params, request, commit } = context
    const provider = openIdOf(realm, adapters)
    const state = params.state ?? ''
    const row = await takeLoginState(commit, state, request)
    const url = new URL(callbackUrl(site, realm))
    for (const [name, value] of Object.entries(params))
      if (value !== undefined) url.searchParams.set(name, value)
    const { nonce, verifier } = row
    const user = await logRefusal(request, { method: 'OpenID Connect' }, async () =>
      accountFor(context, await orLoginCanceled(provider.finish(url, { state, nonce, verifier }))),
    )
    const destination = { next: row.next, otp: row.mobile_otp ?? undefined }
    const landed = await finishLogin(context, { user, method: 'OpenID Connect' }, destination)
    return new RedirectAnswer(landed.url, { cookies: [...landed.cookies, browserCookie(site, '')] })
  },
})

/**
 * Returns the stored state of the browser that started this login. It is valid once, for that browser, for some
 * minutes.
 */
async function takeLoginState(commit: Commit, state: string, { header }: RequestInfo): Promise<SignOnRow> {
  const [row] = await commit((change) =>
    change.run(sql<SignOnRow>`
      DELETE FROM sign_on WHERE realm_id = ${change.state.id} AND hash = ${hashKey(state)} AND expires_at >= ${change.now}
      RETURNING *`),
  )
  const browser = hashKey(cookieOf(header('cookie'), browserCookieName) ?? '')
  if (row && isSameSecret(browser, row.browser_hash)) return row
  throw badRequest('This sign-on has expired, or was started in another browser. Please try again.')
}
