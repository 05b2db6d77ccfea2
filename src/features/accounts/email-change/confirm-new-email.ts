import { allowAnonymous } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathText } from '../../../http/params.ts'
import { PageAnswer } from '../../../http/responses/answer-kinds.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { html } from '../../../lib/text/html.ts'
import { linkByKey, useLink } from '../../kernel/mail/links.ts'
import { checkEmailIsFree } from '../../people/users/emails.ts'
import { checkNewEmail, finishEmailChange } from '../kernel/email-change/change-email.ts'
import { page } from '../kernel/pages/layout.ts'
import { textsOf } from '../kernel/pages/texts.ts'

export const confirmNewEmail = command('POST /accounts/confirm_new_email/{key}', {
  summary: 'Confirm a new email address',
  root: true,
  access: allowAnonymous,
  params: { key: pathText() },
  returns: {},
  async handle({ realm, read, site, params, request, commit }) {
    const link = await linkByKey({ realm, read, now: site.clock() }, ['change-email'], params.key)
    await commit(async (change) => {
      const user = change.state.users.get(link.user_id)
      if (!user?.is_active || change.state.row.is_deactivated) {
        throw badRequest('The account of this link no longer exists.')
      }
      change.actFor(user.id)
      // First, as the address is the user's own once the link has been used.
      await useLink(change, link)
      checkNewEmail(change.state, user, link.email)
      checkEmailIsFree(change.state, site, link.email)
      await finishEmailChange(change, user, link.email)
    })
    const texts = textsOf({ realm, request })
    const { t } = texts
    const body = html`<p>${t('new_email.now', { organization: realm.row.name, email: link.email })}</p>
<p><a href="/">${t('account.back')}</a></p>
`
    return new PageAnswer(page(texts, t('new_email.changed'), body))
  },
})
