import type { Cookie } from '../../../http/answers.ts'
import { isSecure } from '../../../http/session.ts'
import { limits } from '../../../lib/limits.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'

/** Where the provider sends browsers back to. */
export function callbackUrl(site: Site, realm: RealmState): string {
  return `${realmUrl(site, realm.realm)}/login/openid/callback`
}

/** The cookie by which a browser shows that it is the one that set out; an empty value takes it away. */
export function browserCookie(site: Site, value: string): Cookie {
  const seconds = value === '' ? 0 : limits.signOnMinutes * 60
  return { name: browserCookieName, value, seconds, secure: isSecure(site), path: '/login' }
}

export const browserCookieName = 'rookery_sign_on'
