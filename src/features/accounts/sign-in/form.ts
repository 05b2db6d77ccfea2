import type { Adapters } from '../../../adapters/adapters.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { must } from '../../../lib/must.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { isEnabled } from '../../kernel/login/methods.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { organizationsPath, page } from '../kernel/pages/layout.ts'
import { type PageReader, type Texts, textsOf } from '../kernel/pages/texts.ts'
import type { LoginRedirect } from '../kernel/sign-on/finish-login.ts'

type Place = PageReader & { adapters: Adapters }

/** Returns the sign-in page, with the error of the previous attempt, if any. `hasEnded`: the browser had a session before. */
export function signInPage(
  { realm, adapters, request }: Place,
  { hasEnded, ...destination }: LoginRedirect & { hasEnded?: boolean },
  failed?: { status: number; message: string; username: string },
): PageAnswer {
  const texts = textsOf({ realm, request })
  const hasDirectory = isEnabled(realm, adapters, 'LDAP')
  const takesPasswords = hasDirectory || isEnabled(realm, adapters, 'Email')
  const body = html`
${failed && html`<p role="alert">${failed.message}</p>`}
${hasEnded && html`<p class="note" role="status">${texts.t('sign_in.ended')}</p>`}
${takesPasswords && passwordForm(texts, destination, hasDirectory, failed?.username ?? '')}
${isEnabled(realm, adapters, 'OpenID Connect') && openIdButton(texts, adapters, destination)}
${destination.otp === undefined && otherWays(realm, texts)}
`
  const title = texts.t('sign_in.title', { organization: realm.row.name })
  return new PageAnswer(page(texts, title, body), { status: failed?.status ?? 200 })
}

/** The links for users without an account here. */
function otherWays(realm: PageReader['realm'], { t }: Texts): Html {
  const isOpen = !realmSettings(realm).invite_required
  const name = t('join.title', { organization: realm.row.name })
  return html`${isOpen && html`<p>${t('sign_in.new_here')} <a href="/register">${name}</a></p>`}
<p class="note"><a href="${organizationsPath}">${t('organizations.other')}</a></p>`
}

function passwordForm(
  { t }: Texts,
  { next, otp }: LoginRedirect,
  hasDirectory: boolean,
  username: string,
): Html {
  // After a failed attempt, the password is to be typed again.
  const focus = html` autofocus`
  return html`<form method="post" action="/login">
<label>${t(hasDirectory ? 'sign_in.email_or_name' : 'sign_in.email')}
<input name="username" type="${hasDirectory ? 'text' : 'email'}" value="${username}" autocomplete="username" required${!username && focus}></label>
<label>${t('sign_in.password')}
<input name="password" type="password" autocomplete="current-password" required${username && focus}></label>
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
${otp !== undefined && html`<input type="hidden" name="mobile_flow_otp" value="${otp}">`}
<button>${t('sign_in.submit')}</button>
</form>
<p><a href="/accounts/password/reset">${t('sign_in.forgot')}</a></p>`
}

function openIdButton({ t }: Texts, { signOn }: Adapters, { next, otp }: LoginRedirect): Html {
  const query = new URLSearchParams()
  if (next !== undefined) query.set('next', next)
  if (otp !== undefined) query.set('mobile_flow_otp', otp)
  const url = query.size > 0 ? `/login/openid?${query}` : '/login/openid'
  const { name: provider } = must(signOn?.openId, 'OpenID Connect provider')
  return html`<p><a class="button" href="${url}">${t('sign_in.with', { provider })}</a></p>`
}
