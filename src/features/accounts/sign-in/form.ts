import type { Adapters } from '../../../adapters/adapters.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { type Html, html } from '../../../lib/html.ts'
import { must } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isEnabled } from '../../kernel/login/methods.ts'
import { organizationsPath, page } from '../kernel/pages/layout.ts'
import type { LoginRedirect } from '../kernel/sign-on/finish-login.ts'

type Place = { realm: RealmState; outside: Adapters }

/** Returns the sign-in page, with the error of the previous attempt, if any. */
export function signInPage(
  { realm, outside }: Place,
  destination: LoginRedirect,
  failed?: { status: number; message: string; username: string },
): PageAnswer {
  const hasDirectory = isEnabled(realm, outside, 'LDAP')
  const takesPasswords = hasDirectory || isEnabled(realm, outside, 'Email')
  const body = html`
${failed && html`<p role="alert">${failed.message}</p>`}
${takesPasswords && passwordForm(destination, hasDirectory, failed?.username ?? '')}
${isEnabled(realm, outside, 'OpenID Connect') && openIdButton(outside, destination)}
${destination.otp === undefined && html`<p class="note"><a href="${organizationsPath}">Another organization</a></p>`}
`
  const title = `Sign in to ${realm.realm.name}`
  return new PageAnswer(page(title, body), { status: failed?.status ?? 200 })
}

function passwordForm({ next, otp }: LoginRedirect, hasDirectory: boolean, username: string): Html {
  return html`<form method="post" action="/login">
<label>${hasDirectory ? 'E-mail address or user name' : 'E-mail address'}
<input name="username" type="${hasDirectory ? 'text' : 'email'}" value="${username}" autocomplete="username" required autofocus></label>
<label>Password
<input name="password" type="password" autocomplete="current-password" required></label>
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
${otp !== undefined && html`<input type="hidden" name="mobile_flow_otp" value="${otp}">`}
<button>Sign in</button>
</form>
<p><a href="/accounts/password/reset">Forgot your password?</a></p>`
}

function openIdButton({ signOn }: Adapters, { next, otp }: LoginRedirect): Html {
  const query = new URLSearchParams()
  if (next !== undefined) query.set('next', next)
  if (otp !== undefined) query.set('mobile_flow_otp', otp)
  const url = query.size > 0 ? `/login/openid?${query}` : '/login/openid'
  return html`<p><a class="button" href="${url}">Sign in with ${must(signOn?.openId, 'OpenID Connect provider').name}</a></p>`
}
