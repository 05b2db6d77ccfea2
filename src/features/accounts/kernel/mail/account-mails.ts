import type { AccountRow } from '../../../../db/schema.ts'
import { realmUrl, type Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import { letter } from '../../../kernel/mail/letter.ts'
import { addLink } from '../../../kernel/mail/links.ts'
import { queueMail } from '../../../kernel/mail/queue-mail.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { accountMailLimits } from './limits.ts'

/** Mails a new user that their account exists, unless the organization disables this. */
export async function mailWelcome(change: Change, site: Site, user: AccountRow) {
  if (!realmSettings(change.state).send_welcome_emails) return
  const { name } = change.state.row
  const url = realmUrl(site, change.state.row)
  const body = letter([
    `Welcome to ${name}, ${user.full_name}! Your account uses the email address ${user.delivery_email}.`,
    { link: `Open ${name}`, url },
    `To use an app, enter this server address: ${url}`,
    { small: 'No password yet, or forgotten it?', url: `${url}/accounts/password/reset` },
  ])
  const to = user.delivery_email
  await queueMail(change, { kind: 'welcome', to, subject: `Welcome to ${name}`, userId: user.id, ...body })
}

/** Mails a user that they, or another person, have logged in. */
export async function mailLogin(
  change: Change,
  site: Site,
  user: AccountRow,
  { client, ip, at }: { client: string; ip: string; at: number },
) {
  const { name } = change.state.row
  const email = user.delivery_email
  const url = realmUrl(site, change.state.row)
  const seconds = accountMailLimits.unsubscribeLinkSeconds
  const key = await addLink(change, { kind: 'unsubscribe-logins', userId: user.id, email, seconds })
  const unsubscribeUrl = `${url}/unsubscribe/${key}`
  const body = letter([
    `There was a new login to your account ${email} in ${name}.`,
    `Time: ${new Date(at * 1000).toUTCString()}\nClient: ${client}\nIP address: ${ip}`,
    {
      small: 'If this was not you, change your password immediately:',
      url: `${url}/accounts/password/reset`,
    },
    { small: 'Stop emails about new logins:', url: unsubscribeUrl },
  ])
  const subject = `New login to ${name} from ${client}`
  await queueMail(change, { kind: 'new login', to: email, subject, userId: user.id, unsubscribeUrl, ...body })
}
