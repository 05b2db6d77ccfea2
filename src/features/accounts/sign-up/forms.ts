import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { libLimits } from '../../../lib/limits.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { personLimits } from '../../people/kernel/users/limits.ts'
import { loginLimits } from '../kernel/login/limits.ts'
import { page } from '../kernel/pages/layout.ts'
import { type PageReader, type Texts, textsOf } from '../kernel/pages/texts.ts'
import type { Ticket } from './tickets.ts'

/** Returns the page that asks for the address of a new user. `isMailed`: whether they go on by a link in a mail. */
export function addressPage(
  reader: PageReader,
  { problem, email = '', isMailed = true }: { problem?: string; email?: string; isMailed?: boolean } = {},
) {
  const texts = textsOf(reader)
  const { t } = texts
  const form = html`
${isMailed && html`<p>${t('join.link_follows')}</p>`}
<form method="post">
<label>${t('sign_in.email')}
<input type="email" name="email" value="${email}" autocomplete="email" autofocus required maxlength="${libLimits.emailLength}"></label>
<button>${t(isMailed ? 'join.send' : 'join.continue')}</button>
</form>
${signInLink(texts)}`
  return page(texts, titleFor(reader, texts), html`${alert(texts, problem)}${form}`)
}

/** Returns the page for organizations that require an invitation. */
export function closedAnswer(reader: PageReader): PageAnswer {
  const texts = textsOf(reader)
  const body = html`<p>${texts.t('join.closed', { organization: reader.realm.row.name })}</p>
${signInLink(texts)}`
  return new PageAnswer(page(texts, titleFor(reader, texts), body), { status: 403 })
}

/** Returns the page after the request. It is the same whether or not the address has an account. */
export function mailSentPage(reader: PageReader, email: string, sendsMail: boolean) {
  const texts = textsOf(reader)
  const { t } = texts
  return page(
    texts,
    t('mail.title'),
    html`<p>${t(sendsMail ? 'join.mail_sent' : 'join.no_mail', { email })}</p>`,
  )
}

/** Returns the page where the recipient of a key creates their account. */
export function accountPage(
  reader: PageReader,
  { email, invitation }: Ticket,
  { problem, fullName = '' }: { problem?: string; fullName?: string } = {},
) {
  const texts = textsOf(reader)
  const { t } = texts
  const count = loginLimits.passwordMinLength
  return page(
    texts,
    titleFor(reader, texts),
    html`${alert(texts, problem)}
${invitedBy(reader, texts, invitation)}
<form method="post">
<label>${t('sign_in.email')}
<input type="email" name="email" value="${email}" autocomplete="username" readonly></label>
<label>${t('join.name')}
<input name="full_name" value="${fullName}" autocomplete="name" autofocus required maxlength="${personLimits.fullNameLength}"></label>
<label>${t('join.password', { count })}
<input type="password" name="password" autocomplete="new-password" required minlength="${count}" maxlength="${loginLimits.passwordLength}"></label>
<button>${t('join.create')}</button>
</form>`,
  )
}

/** Returns the page for recipients who log in through another service, without a password here. */
export function signOnPage(reader: PageReader, { email, invitation }: Ticket) {
  const texts = textsOf(reader)
  const how = html`<p><a href="/login">${texts.t('join.sign_on', { email })}</a></p>`
  return page(texts, titleFor(reader, texts), html`${invitedBy(reader, texts, invitation)}${how}`)
}

function titleFor({ realm }: PageReader, { t }: Texts) {
  return t('join.title', { organization: realm.row.name })
}

function signInLink({ t }: Texts) {
  return html`<p>${t('join.has_account')} <a href="/login">${t('sign_in.submit')}</a></p>`
}

function invitedBy({ realm }: PageReader, { t }: Texts, invitation: Ticket['invitation']) {
  const inviter = invitation && realm.users.get(invitation.inviter_id)
  return inviter && html`<p>${t('join.invited', { name: inviter.full_name })}</p>`
}

/** Returns the result of `act`, or the form again with the error if the input is invalid. */
export async function orFormAgain<Done>(
  act: () => Promise<Done>,
  again: (problem: string) => Html,
): Promise<Done | PageAnswer> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error
    return new PageAnswer(again(error.message), { status: 400 })
  }
}

/** Returns the key in an address, with or without a trailing slash. */
export function keyIn(rest: string): string {
  return rest.replace(/\/$/, '')
}

function alert({ errorText }: Texts, problem: string | undefined) {
  return problem === undefined ? '' : html`<p role="alert">${errorText(problem)}</p>`
}
