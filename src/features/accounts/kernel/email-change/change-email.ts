import type { AccountRow } from '../../../../db/schema.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { badRequest, tooManyRequests } from '../../../../lib/api-error.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import { isEmail } from '../../../../lib/text/email.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { letter } from '../../../kernel/mail/letter.ts'
import { addLink, hasEnoughLinks } from '../../../kernel/mail/links.ts'
import { queueMail } from '../../../kernel/mail/queue-mail.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { addressRefusal } from '../../../people/users/allowed-addresses.ts'
import { emailChangeLimits } from './limits.ts'

/** Throws unless the user may change their own address to this one. */
export function checkNewEmail(realm: RealmState, me: AccountRow, email: string) {
  if (!isEmail(email)) throw badRequest('Invalid address.')
  const refusal = addressRefusal(realm, email)
  if (refusal) throw badRequest(refusal)
  if (realm.userByEmail(email.toLowerCase())) throw badRequest('Already has an account.')
  if (realmSettings(realm).email_changes_disabled && !isAdministrator(me)) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
}

/** Mails a confirmation link to the new address. Throws 429 after too many such mails. */
export async function startEmailChange(change: Change, site: Site, me: AccountRow, email: string) {
  checkNewEmail(change.state, me, email)
  if (await hasEnoughLinks(change, 'change-email', me.id)) throw tooManyRequests(3_600)
  const seconds = emailChangeLimits.emailLinkSeconds
  const key = await addLink(change, { kind: 'change-email', userId: me.id, email, seconds })
  const { name } = change.state.row
  const body = letter([
    `${me.full_name} wants to use ${email} in ${name}, in place of ${me.delivery_email}.`,
    {
      link: 'Use this address',
      url: `${realmUrl(site, change.state.row)}/accounts/confirm_new_email/${key}`,
    },
    'The link works once, and expires after a day. If you did not expect this, ignore this email: nothing will change.',
  ])
  const subject = `Confirm your new email address for ${name}`
  await queueMail(change, { kind: 'address confirmation', to: email, subject, userId: me.id, ...body })
}

/** Sets the new address of an account. */
export async function finishEmailChange(change: Change, user: AccountRow, email: string) {
  await change.update('account', { id: user.id, delivery_email: email })
}

/** Notifies the old address, because its owner may not have wanted the change. */
export async function mailOldAddress(change: Change, before: AccountRow, email: string) {
  const { name } = change.state.row
  const body = letter([
    `The email address of your account in ${name}, ${before.full_name}, was changed from ${before.delivery_email} to ${email}.`,
    'If you did not request this, tell an administrator of the organization.',
  ])
  const subject = `Your email address in ${name} was changed`
  const to = before.delivery_email
  await queueMail(change, { kind: 'address changed', to, subject, userId: before.id, ...body })
}
