import type { AccountRow } from '../../../../db/schema.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { letter } from '../../../kernel/mail/letter.ts'
import type { Mail } from '../../../kernel/mail/queue-mail.ts'

/** Returns the address of the page where the recipient of this key creates their account. */
export function confirmationUrl(realm: RealmState, site: Site, key: string) {
  return `${realmUrl(site, realm.row)}/accounts/do_confirm/${key}`
}

/** Returns the invitation mail. */
export function invitationMail(
  realm: RealmState,
  site: Site,
  from: AccountRow,
  { to, key, expiresAt }: { to: string; key: string; expiresAt: number | null },
): Mail {
  const { name } = realm.row
  const until = expiresAt === null ? '' : ` It expires on ${dayOf(expiresAt)}.`
  return {
    kind: 'invitation',
    to,
    subject: `${from.full_name} invites you to ${name}`,
    ...letter([
      `${from.full_name} (${from.delivery_email}) would like you to join ${name}, a team chat at ${realmUrl(site, realm.row)}.`,
      { link: `Join ${name}`, url: confirmationUrl(realm, site, key) },
      `The link is for you alone.${until} If you did not expect this, ignore this email.`,
    ]),
  }
}

function dayOf(seconds: number) {
  const date = new Date(Math.min(seconds * 1000, lastDate))
  days ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return `${days.format(date)} (UTC)`
}

// Cached, because creating it takes a quarter of a millisecond and one request sends hundreds of mails.
let days: Intl.DateTimeFormat | undefined

/** The last moment that a Date can represent. */
const lastDate = 8.64e15
