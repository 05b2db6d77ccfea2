import type { Adapters } from '../../../adapters/adapters.ts'
import { type OpenIdProvider, SignOnCancelled } from '../../../adapters/sign-on/sign-on.ts'
import { ApiError, badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isEnabled } from '../../kernel/login/methods.ts'

/** The provider, if people of this organization may log in with it; 404 otherwise. */
export function openIdOf(realm: RealmState, outside: Adapters): OpenIdProvider {
  if (isEnabled(realm, outside, 'OpenID Connect')) return outside.signOn!.openId!
  throw new ApiError('One cannot log in here in this way.', 'NOT_FOUND', 404)
}

/** Whom the provider has sent back; 400 if they did not want to sign on there. */
export async function orCancelled<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof SignOnCancelled ? badRequest(`${error.message} Begin again if you like.`) : error
  }
}
