import { PageAnswer } from '../../../http/answers.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { type Html, html } from '../../../lib/html.ts'
import { libLimits } from '../../../lib/limits.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { personLimits } from '../../people/kernel/users/limits.ts'
import { loginLimits } from '../kernel/login/limits.ts'
import { page } from '../kernel/pages/layout.ts'
import type { Ticket } from './tickets.ts'

/** Returns the page that asks for the address of a new user. */
export function addressPage(
  realm: RealmState,
  { problem, email = '' }: { problem?: string; email?: string } = {},
) {
  const form = html`
<p>We will send you a link to continue.</p>
<form method="post">
<label>E-mail address
<input type="email" name="email" value="${email}" autocomplete="email" autofocus required maxlength="${libLimits.emailLength}"></label>
<button>Send me the link</button>
</form>
<p>Already have an account? <a href="/login">Sign in</a></p>`
  return page(`Join ${realm.realm.name}`, html`${alert(problem)}${form}`)
}

/** Returns the page for organizations that require an invitation. */
export function closedAnswer({ realm: { name } }: RealmState): PageAnswer {
  const body = html`<p>You need an invitation to join ${name}. Ask a member for one.</p>
<p>Already have an account? <a href="/login">Sign in</a></p>`
  return new PageAnswer(page(`Join ${name}`, body), { status: 403 })
}

/** Returns the page after the request. It is the same whether or not the address has an account. */
export function mailSentPage(email: string, sendsMail: boolean) {
  return page(
    'Check your e-mail',
    sendsMail
      ? html`<p>We have sent an e-mail to ${email}. Follow the link in it to continue; it expires after a day.</p>`
      : html`<p>This server cannot send e-mail. Ask its administrator for the link for ${email}.</p>`,
  )
}

/** Returns the page where the recipient of a key creates their account. */
export function accountPage(
  realm: RealmState,
  { email, invitation }: Ticket,
  { problem, fullName = '' }: { problem?: string; fullName?: string } = {},
) {
  return page(
    `Join ${realm.realm.name}`,
    html`${alert(problem)}
${invitedBy(realm, invitation)}
<form method="post">
<label>E-mail address
<input type="email" name="email" value="${email}" autocomplete="username" readonly></label>
<label>Your name, as others will see it
<input name="full_name" value="${fullName}" autocomplete="name" autofocus required maxlength="${personLimits.fullNameLength}"></label>
<label>Password, of at least ${loginLimits.passwordMinLength} characters
<input type="password" name="password" autocomplete="new-password" required minlength="${loginLimits.passwordMinLength}" maxlength="${loginLimits.passwordLength}"></label>
<button>Create the account</button>
</form>`,
  )
}

/** Returns the same page for users who log in through another service, without a password here. */
export function signOnPage(realm: RealmState, { email, invitation }: Ticket) {
  const how = html`<p><a href="/login">Sign in</a> with the account for ${email}.</p>`
  return page(`Join ${realm.realm.name}`, html`${invitedBy(realm, invitation)}${how}`)
}

function invitedBy(realm: RealmState, invitation: Ticket['invitation']) {
  const inviter = invitation && realm.users.get(invitation.inviter_id)
  return inviter && html`<p>${inviter.full_name} has invited you.</p>`
}

/** Returns the result of `act`, or the form again with the error if the input is invalid. */
export async function orAgain<Done>(
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

function alert(problem: string | undefined) {
  return problem === undefined ? '' : html`<p role="alert">${problem}</p>`
}
