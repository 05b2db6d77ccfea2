import { allowAnonymous } from '../../../http/access.ts'
import { hasSessionCookie, sessionOf } from '../../../http/callers/session.ts'
import { query } from '../../../http/endpoint.ts'
import { RedirectAnswer } from '../../../http/responses/answer-kinds.ts'
import { checkRealmActive } from '../kernel/login/login-context.ts'
import { safeNext } from '../kernel/sign-on/safe-next.ts'
import { signInPage } from './form.ts'
import { destinationIn, destinationParams } from './params.ts'

export const showSignIn = query('GET /login', {
  summary: 'Show the sign-in page',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: destinationParams,
  returns: {},
  async handle({ realm, site, adapters, request, params }) {
    checkRealmActive(realm)
    const destination = destinationIn(params)
    const cookies = request.header('cookie')
    const session = sessionOf(realm, site, cookies)
    const isSignedIn = session && realm.users.get(session.user_id)?.is_active
    if (isSignedIn && destination.otp === undefined) return new RedirectAnswer(safeNext(params.next))
    const hasEnded = !session && hasSessionCookie(site, cookies)
    return signInPage({ realm, adapters, request }, { ...destination, hasEnded })
  },
})
