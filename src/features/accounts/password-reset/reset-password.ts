import type { AccountRow } from '../../../db/schema.ts'
import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { letter } from '../../kernel/mail/letter.ts'
import { linkByKey, useLink } from '../../kernel/mail/links.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { forgiveAttempts } from '../kernel/login/attempts.ts'
import { loginLimits } from '../kernel/login/limits.ts'
import { hashNewPassword } from '../kernel/login/passwords.ts'
import { putPassword } from '../kernel/login/put-password.ts'
import { refuseOtherSites } from '../kernel/sessions/refuse-other-sites.ts'
import { finishLogin } from '../kernel/sign-on/finish-login.ts'
import { personToReset } from './person-to-reset.ts'

export const resetPassword = command('POST /accounts/password/reset/{key}', {
  summary: 'Set a new password with a password reset link, and sign in',
  root: true,
  access: allowAnonymous,
  params: {
    key: pathText(),
    password: text({ max: loginLimits.passwordLength }),
    username: text().default(''),
  },
  returns: {},
  async handle(context) {
    const { realm, read, site, adapters, request, params, commit } = context
    refuseOtherSites(site, request)
    const link = await linkByKey({ realm, read, now: site.clock() }, ['reset-password'], params.key)
    const person = personToReset(realm, adapters, link.email)
    if (person?.id !== link.user_id) throw goneError()
    const passwordHash = await hashNewPassword(realm, params.password, {
      email: person.delivery_email,
      fullName: person.full_name,
    })
    const user = await commit(async (change) => {
      const now = personToReset(change.state, adapters, link.email)
      if (now?.id !== link.user_id) throw goneError()
      change.actFor(now.id)
      await useLink(change, link)
      await putPassword(change, now.id, passwordHash)
      await forgiveAttempts(change, now.delivery_email)
      await queueMail(change, changedMail(change.state.row.name, now))
      return now
    })
    return finishLogin(context, { user, method: 'Email' }, { next: undefined, otp: undefined })
  },
})

function changedMail(organization: string, { id, delivery_email: to }: AccountRow) {
  const body = letter([
    `The password of your account ${to} in ${organization} was changed with a link that works once.`,
    'If this was not you, another person can read your email: change the password of your mailbox, and tell an administrator of the organization.',
  ])
  const subject = `Your password for ${organization} was changed`
  return { kind: 'password changed', to, subject, userId: id, ...body } as const
}

function goneError() {
  return badRequest('The account of this link no longer exists.')
}
