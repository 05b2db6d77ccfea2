import { isSecure } from '../../../http/callers/session.ts'
import type { Cookie } from '../../../http/responses/answer-kinds.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { signOnLimits } from './limits.ts'

/** Returns the callback address for the provider. */
export function callbackUrl(site: Site, realm: RealmState): string {
  return `${realmUrl(site, realm.row)}/login/openid/callback`
}

/** Returns the cookie that identifies the browser which started the login. An empty value deletes it. */
export function browserCookie(site: Site, value: string): Cookie {
  const seconds = value === '' ? 0 : signOnLimits.signOnMinutes * 60
  return { name: browserCookieName, value, seconds, secure: isSecure(site), path: '/login' }
}

export const browserCookieName = 'rookery_sign_on'
