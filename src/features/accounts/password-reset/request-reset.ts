import { setTimeout as sleep } from 'node:timers/promises'
import { allowAnonymous } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { realmUrl } from '../../../lib/site.ts'
import { isEmail } from '../../../lib/text/email.ts'
import { html } from '../../../lib/text/html.ts'
import { letter } from '../../kernel/mail/letter.ts'
import { addLink, hasEnoughLinks } from '../../kernel/mail/links.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { countMailRequest } from '../../kernel/mail/requests.ts'
import { page } from '../kernel/pages/layout.ts'
import { textsOf } from '../kernel/pages/texts.ts'
import { passwordResetLimits } from './limits.ts'
import { personToReset } from './person-to-reset.ts'

/** Responds identically and in the same time, whether or not there is such an account. */
export const requestReset = command('POST /accounts/password/reset', {
  summary: 'Request a password reset email',
  root: true,
  slashed: true,
  access: allowAnonymous,
  params: { email: text({ trim: true }) },
  returns: {},
  async handle(context) {
    const { email } = context.params
    if (!isEmail(email)) throw badRequest('Enter a valid email address.')
    countMailRequest(context)
    await Promise.all([sendLink(context, email), sleep(passwordResetLimits.mailRequestMs)])
    const texts = textsOf(context)
    const { t } = texts
    return new PageAnswer(page(texts, t('mail.title'), html`<p>${t('reset.sent', { email })}</p>\n`))
  },
})

type Context = Pick<CommandContext, 'realm' | 'site' | 'adapters' | 'catchUp' | 'commit'>

async function sendLink({ realm, site, adapters, catchUp, commit }: Context, email: string) {
  // Another node may have just created the user, and no refusal makes this one look again.
  await catchUp()
  if (!personToReset(realm, adapters, email)) return
  await commit(async (change) => {
    const person = personToReset(change.state, adapters, email)
    if (!person || (await hasEnoughLinks(change, 'reset-password', person.id))) return
    const to = person.delivery_email
    const seconds = passwordResetLimits.resetLinkSeconds
    const key = await addLink(change, { kind: 'reset-password', userId: person.id, email: to, seconds })
    const { name } = realm.row
    const url = `${realmUrl(site, realm.row)}/accounts/password/reset/${key}`
    const body = letter([
      `We received a request to reset the password of your account ${to} in ${name}.`,
      { link: 'Set a new password', url },
      'The link works once, and expires after an hour. If you did not request this, ignore this email: your password will not change.',
    ])
    const subject = `Set a new password for ${name}`
    await queueMail(change, { kind: 'password reset', to, subject, userId: person.id, ...body })
  })
}
