import { z } from 'zod'
import type { SignOn } from '../../../adapters/sign-on/sign-on.ts'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, text } from '../../../http/params.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'
import { userView } from '../../kernel/users/user-view.ts'
import { userSchema } from '../../people/users/user-params.ts'
import type { Login } from '../kernel/login/check-login.ts'
import { confirmLogin } from '../kernel/login/confirm-login.ts'
import { logRefusal } from '../kernel/login/log-refusal.ts'
import { checkRealmActive, checkUserActive } from '../kernel/login/login-context.ts'

export const jwtFetchApiKey = command('POST /jwt/fetch_api_key', {
  summary: 'Create an API key with a signed JSON Web Token',
  access: allowAnonymous,
  params: { token: text().default(''), include_profile: boolean().default(false) },
  returns: {
    api_key: z.string(),
    email: z.string(),
    user_id: z.int(),
    user: z.object(userSchema.shape).optional(),
  },
  async handle({ realm, params, site, adapters, request, commit }) {
    const jwt = adapters.signOn?.jwt
    if (!jwt) throw badRequest('JWT authentication is not enabled for this organization')
    checkRealmActive(realm)
    const user = await logRefusal(request, { method: 'JWT' }, async () =>
      checkUserActive(personWith(realm, await emailIn(jwt, params.token))),
    )
    const login: Login = { user, method: 'JWT' }
    const key = await commit(async (change) => {
      await confirmLogin(change, site, login, request)
      return addApiKey(change, user.id, request.client)
    })
    const answer = { api_key: key, email: user.delivery_email, user_id: user.id }
    if (!params.include_profile) return answer
    const format = { viewer: user, clientGravatar: false, includeProfile: true }
    return { ...answer, user: userView(realm, site, user, format) }
  },
})

/** Returns the address in a token if its signature is valid, it has not expired, and it has no other purpose. */
async function emailIn({ key, algorithm }: NonNullable<SignOn['jwt']>, token: string): Promise<string> {
  if (token === '') throw badRequest('No JSON web token passed in request')
  const { importSPKI, jwtVerify } = await import('jose')
  const isShared = algorithm.startsWith('HS')
  const secret = isShared ? new TextEncoder().encode(key) : await importSPKI(key, algorithm)
  const checked = await jwtVerify(token, secret, { algorithms: [algorithm] }).catch(() => {
    throw badRequest('Bad JSON web token')
  })
  const { email } = checked.payload
  if (typeof email !== 'string') throw badRequest('No email specified in JSON web token claims')
  return email
}

function personWith(realm: RealmState, email: string) {
  const user = realm.userByEmail(email.trim().toLowerCase())
  if (user && user.bot_type === null) return user
  throw new ApiError('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401)
}
