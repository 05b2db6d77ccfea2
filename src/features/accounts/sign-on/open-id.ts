import type { Adapters } from '../../../adapters/adapters.ts'
import { type OpenIdProvider, SignOnCanceled } from '../../../adapters/sign-on/sign-on.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isEnabled } from '../../kernel/login/methods.ts'

/** Returns the provider if users of this organization may log in with it. Throws 404 otherwise. */
export function openIdOf(realm: RealmState, adapters: Adapters): OpenIdProvider {
  if (isEnabled(realm, adapters, 'OpenID Connect'))
    return must(adapters.signOn?.openId, 'OpenID Connect provider')
  throw new ApiError('This way of logging in is not available here.', 'NOT_FOUND', 404)
}

/** Waits for the user that the provider returns. Throws 400 if the user canceled the login there. */
export async function orLoginCanceled<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof SignOnCanceled
      ? badRequest('The sign-on was canceled. Begin again if you like.')
      : error
  }
}
