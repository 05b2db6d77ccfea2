import { ApiError } from '../../lib/api-error.ts'
import type { Outside } from '../../lib/outside.ts'
import { type OpenIdProvider, SignOnError } from '../../lib/sign-on.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { isEnabled } from '../login/methods.ts'

/** The provider, if people of this organization may log in with it; 404 otherwise. */
export function openIdOf(realm: RealmState, outside: Outside): OpenIdProvider {
  if (isEnabled(realm, outside, 'OpenID Connect')) return outside.signOn!.openId!
  throw new ApiError('One cannot log in here in this way.', 'NOT_FOUND', 404)
}

/** What the provider answers; 503 with a sentence for people if it does not do its part. */
export async function inWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error
    const message = `${error.message} Try again, or tell whoever runs this server.`
    throw new ApiError(message, 'SERVER_NOT_READY', 503)
  }
}
