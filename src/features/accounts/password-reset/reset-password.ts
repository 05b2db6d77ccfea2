import { allowAnonymous } from '../../../http/access.ts'
import { PageAnswer } from '../../../http/answers.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { html } from '../../../lib/html.ts'
import { letter } from '../../kernel/mail/letter.ts'
import { linkByKey, useLink } from '../../kernel/mail/links.ts'
import { queueMail } from '../../kernel/mail/queue-mail.ts'
import { forgiveAttempts } from '../kernel/login/attempts.ts'
import { loginLimits } from '../kernel/login/limits.ts'
import { checkPasswordStrength, hashPassword } from '../kernel/login/passwords.ts'
import { putPassword } from '../kernel/login/put-password.ts'
import { page } from '../kernel/pages/layout.ts'
import { personToReset } from './person.ts'

export const resetPassword = command('POST /accounts/password/reset/{key}', {
  summary: 'Set a new password with a password reset link',
  root: true,
  access: allowAnonymous,
  params: {
    key: pathText(),
    password: text({ max: loginLimits.passwordLength }),
    username: text().default(''),
  },
  returns: {},
  async handle({ realm, read, site, outside, params, commit }) {
    const link = await linkByKey({ realm, read, now: site.clock() }, ['reset-password'], params.key)
    const person = personToReset(realm, outside, link.email)
    if (person?.id !== link.user_id) throw goneError()
    checkPasswordStrength(params.password, { email: person.delivery_email, fullName: person.full_name })
    const passwordHash = await hashPassword(params.password)
    await commit(async (change) => {
      const now = personToReset(change.state, outside, link.email)
      if (now?.id !== link.user_id) throw goneError()
      change.actFor(now.id)
      await useLink(change, link)
      await putPassword(change, now.id, passwordHash)
      await forgiveAttempts(change, now.delivery_email)
      const body = letter([
        `The password of your account ${now.delivery_email} in ${change.state.realm.name} was changed with a link that works once.`,
        'If this was not you, another person can read your e-mail: change the password of your mailbox, and tell an administrator of the organization.',
      ])
      const subject = `Your password for ${change.state.realm.name} was changed`
      const mail = { kind: 'password changed', to: now.delivery_email, subject, userId: now.id, ...body }
      await queueMail(change, mail)
    })
    const done = html`<p>You can now sign in with your new password.</p>\n<p><a class="button" href="/login">Sign in</a></p>\n`
    return new PageAnswer(page('Your password has been changed', done))
  },
})

function goneError() {
  return badRequest('The account of this link no longer exists.')
}
