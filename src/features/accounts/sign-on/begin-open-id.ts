import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import { checkRealmActive } from '../kernel/login/login-context.ts'
import { checkOtp } from '../kernel/sign-on/mobile-login.ts'
import { safeNext } from '../kernel/sign-on/safe-next.ts'
import { signOnLimits } from './limits.ts'
import { browserCookie, callbackUrl } from './login-browser.ts'
import { openIdOf } from './open-id.ts'

export const beginOpenId = command('GET /login/openid', {
  summary: 'Start an OpenID Connect login',
  root: true,
  access: allowAnonymous,
  params: { next: text().optional(), mobile_flow_otp: text().optional() },
  returns: {},
  async handle({ realm, site, adapters, params, commit }) {
    checkRealmActive(realm)
    const provider = openIdOf(realm, adapters)
    const otp = params.mobile_flow_otp === undefined ? null : checkOtp(params.mobile_flow_otp)
    const { url, state, nonce, verifier } = await provider.begin(callbackUrl(site, realm))
    const browser = randomBytes(32).toString('base64url')
    await commit(async (change) => {
      await change.run(sql`DELETE FROM sign_on WHERE realm_id = ${realm.id} AND expires_at < ${change.now}`)
      await change.insert('sign_on', {
        hash: hashKey(state),
        browser_hash: hashKey(browser),
        nonce,
        verifier,
        next: safeNext(params.next),
        mobile_otp: otp,
        expires_at: change.now + signOnLimits.signOnMinutes * 60,
      })
    })
    return new RedirectAnswer(url, { cookies: [browserCookie(site, browser)] })
  },
})
