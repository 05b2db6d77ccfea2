import { sql } from 'kysely'
import type { Adapters } from '../../../adapters/adapters.ts'
import { badRequest, tooManyRequests } from '../../../lib/api-error.ts'
import { networkOf } from '../../../lib/network/network-of.ts'
import { hashKey } from '../../../lib/secrets/hash-key.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import { isEmail } from '../../../lib/text/email.ts'
import { bucketsPerNode } from '../../../lib/token-bucket.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { newLinkKey } from '../../kernel/invitations/keys.ts'
import { isEnabled } from '../../kernel/login/methods.ts'
import { letter } from '../../kernel/mail/letter.ts'
import { type Mail, queueMail } from '../../kernel/mail/queue-mail.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { checkAddressAllowed } from '../../people/users/allowed-addresses.ts'
import { checkEmailIsFree, isStandIn } from '../../people/users/emails.ts'
import { confirmationUrl } from '../kernel/invitations/invitation-mail.ts'
import { checkMailedLately } from '../kernel/invitations/mailed-lately.ts'
import { passwordsDisabled } from '../kernel/login/check-login.ts'
import type { LoginContext } from '../kernel/login/login-context.ts'
import { signUpLimits } from './limits.ts'
import { checkIsOpen, linkedInvitation } from './tickets.ts'

/**
 * Mails a key for joining, on the caller's link or because the organization is open. Only the owner of the address
 * learns, by that mail, whether it has an account. Where a link alone permits joining (see mustConfirmAddress), the
 * function returns the key. Throws 400 if the user may not join, 401 where password logins are disabled, and 429 after
 * too many requests.
 */
export async function askToJoin(
  asking: LoginContext,
  email: string,
  linkKey: string | undefined,
): Promise<string | undefined> {
  const { realm, site, adapters, read, request, commit } = asking
  const link = linkKey === undefined ? null : await linkedInvitation(read.rows, realm, linkKey, site.clock())
  if (!link) checkIsOpen(realm)
  if (!isEnabled(realm, adapters, 'Email')) throw passwordsDisabled()
  if (!isEmail(email)) throw badRequest('Enter a valid email address.')
  checkAddressAllowed(realm, email)
  countPlace(site, request.ip)
  const key = newLinkKey()
  const isMailed = link === null || mustConfirmAddress(realm, adapters)
  await commit(async (change) => {
    if (isMailed) await checkMailedLately(change, { kind: 'sign-up', to: [email] }, perHour)
    else checkEmailIsFree(change.state, site, email)
    const known = change.state.userByEmail(email.toLowerCase())
    if (known || isStandIn(change.state, site, email)) {
      if (known?.bot_type === null)
        await queueMail(change, alreadyMail(change.state, site, known.delivery_email))
      return
    }
    await makeRoom(change)
    await change.insert('sign_up', {
      email,
      invitation_id: link?.id ?? null,
      key_hash: hashKey(key),
      created_at: change.now,
      expires_at: change.now + signUpLimits.signUpSeconds,
    })
    if (isMailed) await queueMail(change, confirmationMail(change.state, site, email, key))
  })
  return isMailed ? undefined : key
}

/**
 * Returns whether users who join by a link must confirm their address by a mail. On a server that sends none, the link alone is enough, unless
 * something relies on addresses: the organization allows only some domains, or a service finds accounts by their address.
 */
export function mustConfirmAddress(realm: RealmState, { mail, signOn }: Adapters): boolean {
  const { directory, openId, jwt } = signOn ?? {}
  return Boolean(mail || directory || openId || jwt || realmSettings(realm).emails_restricted_to_domains)
}

const perHour = { most: signUpLimits.signUpMailsPerHour, seconds: 3_600 }

/** Deletes expired sign-ups. Throws if too many are still pending. */
async function makeRoom(change: Change) {
  const { id } = change.state
  await change.run(sql`DELETE FROM sign_up WHERE realm_id = ${id} AND expires_at <= ${change.now}`)
  const waiting = await change.run(sql`SELECT 1 FROM sign_up WHERE realm_id = ${id}`)
  if (waiting.length >= signUpLimits.signUpsWaiting) throw tooManyRequests(3_600)
}

function confirmationMail(realm: RealmState, site: Site, to: string, key: string): Mail {
  const { name } = realm.row
  return {
    kind: 'sign-up',
    to,
    subject: `Join ${name}`,
    ...letter([
      `We received a request to join ${name} at ${realmUrl(site, realm.row)} with this email address.`,
      { link: `Join ${name}`, url: confirmationUrl(realm, site, key) },
      'The link expires after a day. If you did not request this, ignore this email.',
    ]),
  }
}

function alreadyMail(realm: RealmState, site: Site, to: string): Mail {
  const { name } = realm.row
  return {
    kind: 'sign-up',
    to,
    subject: `Your account in ${name}`,
    ...letter([
      `We received a request to join ${name} with this email address, but you already have an account there.`,
      { link: 'Sign in', url: `${realmUrl(site, realm.row)}/login` },
      'If your account has been deactivated, an administrator can reactivate it. If you did not request this, ignore this email.',
    ]),
  }
}

const places = bucketsPerNode('sign-up mails', signUpLimits.signUpMailsPerHourAndPlace, 3_600)

/** Limits the mails per network, so that a server cannot be used for mass mail. */
function countPlace(site: Site, ip: string) {
  const { allowed, wait } = places(site).take(networkOf(ip))
  if (!allowed) throw tooManyRequests(wait)
}
